import type { Static, TObject, TSchema } from 'typebox';

/** How a room says no: what happened, and what the caller should do next. */
export type Refusal = {
  /** Its code on the wire, where that is not its name in the table: one code may stand at two statuses. */
  readonly code?: string;
  readonly status: number;
  readonly message: string;
  readonly hint: string;
  /** What a page for people that says it is headed, where its status alone would not do. */
  readonly heading?: string;
};

/** All refusals of a room by their code on the wire. */
export type Refusals = Readonly<Record<string, Refusal>>;

/** One thing that can be asked of a room. Paths stand under the room's base URL; `:name` is a parameter. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Names the operation in OpenAPI and in clients. */
  readonly name: string;
  readonly summary: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TObject;
  /** An absent or empty body is read as `{}`. */
  readonly body_is_optional?: true;
  /** Takes the body from a form of a page as well, each field as a text, and answers that with a page of this status. */
  readonly takes_forms?: { readonly answers: 201 | 303 };
  /** Read in place of `body` when one of these members is given and not null. */
  readonly body_instead?: { readonly when_given: readonly string[]; readonly body: TObject };
  /** The bodies of successful answers by status. */
  readonly answers: Readonly<Record<number, TSchema>>;
  /** Codes of the room's refusals that this route may give. */
  readonly refusals: readonly string[];
};

/** Declares a route, keeping its exact types. */
export function route<const R extends Route>(spec: R): R {
  return spec;
}

/** What a route is given in its `part`, validated. */
export type Input<R extends Route, Part extends 'params' | 'query' | 'body'> =
  | (R extends { readonly [P in Part]: infer Schema extends TObject } ? Static<Schema> : undefined)
  | (Part extends 'body'
      ? R extends { readonly body_instead: { readonly body: infer Schema extends TObject } }
        ? Static<Schema>
        : never
      : never);

/** What a route answers when it does not refuse. */
export type Answer<R extends Route> = {
  [Status in keyof R['answers'] & number]: {
    readonly status: Status;
    readonly body: Static<R['answers'][Status]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[keyof R['answers'] & number];

/** The codes by which a route may refuse. */
export type RefusalCode<R extends Route> = R['refusals'][number];
