import type { IncomingHttpHeaders } from 'node:http';
import type { Input, RefusalCode, Route } from '@stoa/wire';
import type { TObject } from 'typebox';
import type { RefusalError, RefusalOptions } from '../refusal.ts';
import type { Html } from './html.ts';

/** A request before its body is read. */
export type Head = {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** As it was sent, with the query, under the room's base. */
  readonly path: string;
  /** Who is counted by limits: the client's IPv4 address, or the /64 of its IPv6 address. */
  readonly client: string;
  /** The client's own address. */
  readonly address: string;
  /** What stands before the room's paths for this caller: its mount, or nothing on its own host. */
  readonly base_path: string;
};

/** A request whose body was read, before its parts are held to the schemas of its route. */
export type Unchecked = Head & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly body: unknown;
};

/** One request, as its use case sees it: validated, and with nothing of the HTTP host about it. */
export type Call<R extends Route> = Head & {
  readonly params: Input<R, 'params'>;
  readonly query: Input<R, 'query'>;
  readonly body: Input<R, 'body'>;
  /** Whether the body came from a form of a page. */
  readonly is_form: boolean;
  /** Given when the client goes away. */
  readonly signal: AbortSignal;
  /** What to throw to refuse; only codes that the route lists compile. */
  readonly refuse: (code: RefusalCode<R>, options?: RefusalOptions) => RefusalError;
};

/** The route that a page with a query stands for. */
export type PageRoute<Query extends TObject> = Omit<Route, 'query'> & { readonly query: Query };

/** What a use case answers to a form: a page, or with a `location` the way on. */
export type PageAnswer = {
  readonly status: number;
  readonly body: Html;
  readonly headers?: Readonly<Record<string, string>>;
};
