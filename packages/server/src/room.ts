import type { Readable } from 'node:stream';
import type { Command, Refusals, Route } from '@stoa/wire';
import type { TObject } from 'typebox';
import type { Deps } from './deps.ts';
import type { Call, Head, Unchecked } from './http/call.ts';
import type { Html } from './http/html.ts';
import type { ShownFault } from './http/page.ts';
import type { Migration } from './storage/migrate.ts';
import type { Db } from './storage/storage.ts';

/**
 * What a use case answers; a body that is `Html` is sent as a page, a stream as it comes, and so are the texts
 * of an async iterable, which is the lightest for an answer that stays open.
 */
export type RoomAnswer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** What is given to the use case of a request that was let in, or what is answered in its place. */
export type Admission =
  | {
      readonly seen: unknown;
      /** What to do next where a field is wrong, in place of the room's own hint. */
      readonly hint_if_wrong?: string;
      /** Called once it is known what the request is answered, or that it is refused. */
      readonly settled?: () => void;
    }
  | { readonly instead: RoomAnswer };

/** One route with the use case that answers it. */
export type Endpoint = {
  readonly route: Route;
  /** Looks at the request before its body is read; what it answers is given to `answer`. */
  readonly before?: (head: Head) => Promise<unknown>;
  /** Is told, by what `before` answered, of every request that is refused after it. */
  readonly refused?: (seen: unknown) => Promise<void>;
  /** Looks at the request after its body is read and before its parts are held to their schemas. */
  readonly admit?: (request: Unchecked) => Promise<Admission>;
  readonly answer: (call: Call<Route>, seen: unknown) => Promise<RoomAnswer>;
  /** Shows a person again the form that is refused, with what was typed, in place of a page that only says so. */
  readonly showForm?: (request: Unchecked, fault: ShownFault) => Promise<Html>;
};

/** A page for people. */
export type Page = {
  readonly path: string;
  readonly params?: TObject;
  readonly query?: TObject;
  /** Headers of its own, which go before those of all pages. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives it an `ETag`, and answers 304 to who has it. */
  readonly revalidates?: true;
  readonly render: (call: Call<Route>) => Promise<Html>;
};

/** A text that is served as it is. */
export type Document = {
  readonly path: string;
  readonly content_type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: () => string | Promise<string>;
};

/** A request as its bytes say it, for what is not JSON in and JSON out: forms, cookies, streams, other protocols. */
export type RawRequest = Head & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** As the endpoint reads it: all its bytes, or as they come; empty bytes if there is none. */
  readonly body: Buffer | Readable;
  /** Given when the client goes away. */
  readonly signal: AbortSignal;
  readonly request_id: string;
};

/** A cookie that no script reads. */
export type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly same_site: 'strict' | 'lax';
  readonly is_secure: boolean;
  /** 0 takes it back. */
  readonly lives_s: number;
};

export type RawAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  /** `Html`, text, bytes, a stream, or an object to be sent as JSON. */
  readonly body?: unknown;
};

/** A route that reads its body itself, whatever its content type. */
export type RawEndpoint = {
  readonly method: 'GET' | 'POST';
  /** May end in `/*`, whose match is the parameter `*`. */
  readonly path: string;
  /** How the body is read: whole, up to so many bytes, or as a stream that the endpoint bounds. */
  readonly reads: { readonly octets_max: number } | 'stream';
  /** Has the headers of pages, and its faults are shown as pages. */
  readonly is_page?: true;
  readonly answer: (request: RawRequest) => Promise<RawAnswer>;
  /** In place of the room's refusal of a body that is too large. */
  readonly answerTooLarge?: () => RawAnswer;
};

/** What a refusal says, for the room to put into its envelope. */
export type Said = {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Whether `message` was written for this very request, and says what to do. */
  readonly has_detail: boolean;
  readonly retry_after_s: number | undefined;
  /** What stands before the room's paths for this caller. */
  readonly base_path: string;
  readonly more: Readonly<Record<string, unknown>>;
};

export type Envelope = (said: Said) => unknown;

/** A command with what carries it out. */
export type CommandHandler = {
  readonly command: Command;
  readonly run: (given: unknown) => Promise<unknown>;
};

/** What every room must have a word for; each names a code of the room's refusals. */
export type Faults = {
  /** The body, a field or a parameter is not of the form that the route takes. */
  readonly invalid: string;
  readonly too_large: string;
  /** The URL or the headers are longer than is taken. */
  readonly head_too_large: string;
  /** HTTP itself does not allow the request; without it that is `invalid`. */
  readonly malformed?: string;
  readonly not_found: string;
  /** Another method exists at this path. The same code as `not_found` hides that. */
  readonly wrong_method: string;
  /** The body is of a content type that is not taken; without it that is `invalid`. */
  readonly wrong_media_type?: string;
  /** The path cannot be decoded, so it names nothing; without it that is `invalid`, with words of its own. */
  readonly bad_path?: string;
  readonly internal: string;
  /** The database does not answer; without it that is `internal` as well. */
  readonly unavailable?: string;
};

/**
 * Checks a value that fits a schema with `'x-rule'`, and is not null; answers what is wrong with it, as the end of a sentence
 * that begins with the field's name, or undefined. `now` is the house's time in milliseconds.
 */
export type Rule = (value: never, now: number) => string | undefined;

/** A room as the house knows it before it is opened. */
export type Room = {
  readonly name: string;
  /** Where it stands on the main origin: empty, or a path without a slash at its end. */
  readonly mount: string;
  /** One line for the front page and for agents. */
  readonly summary: string;
  /** The room's own table of the configuration file. */
  readonly settings: TObject;
  readonly migrations: readonly Migration[];
  /**
   * Once all rows of a house are copied from SQLite to PostgreSQL: brings what PostgreSQL keeps in another form
   * into that.
   */
  readonly settleMoved?: (from: Db, to: Db) => Promise<void>;
  readonly refusals: Refusals;
  readonly faults: Faults;
  /** The room's own body of a refusal. */
  readonly envelope: Envelope;
  readonly envelope_schema: TObject;
  /** Its form at a status where that is another, for `openapi.json`. */
  readonly envelope_schemas?: Readonly<Record<number, TObject>>;
  /** Tells the envelope all wrong fields, as `more.fields`, and not the first alone. */
  readonly lists_faults?: true;
  /** Reads integers of paths and queries with a minus, too: -0 is 0, and others are told that they are too small. */
  readonly signs_integers?: true;
  readonly rules: Readonly<Record<string, Rule>>;
  readonly bodies: {
    /** Reads every request body as JSON, whatever its content type says; else JSON or none is wanted. */
    readonly any_content_type: boolean;
    /** Takes every `…+json` for JSON, too. */
    readonly any_json_suffix?: boolean;
    /** Takes a body that is empty for an object without members. */
    readonly empty_is_object?: boolean;
    readonly body_bytes_max: number;
    /** Levels of arrays and objects in each other; if given, `__proto__` members are refused as well. */
    readonly json_nesting_max?: number;
  };
  /** Bytes of a URL, where the room's protocol needs more than others. */
  readonly url_bytes_max?: number;
  /**
   * For rooms that say themselves what is wrong with any text: what is read in place of octets of a URL that are
   * no UTF-8. U+0000 in a path is then a character like others. Without it such paths name nothing.
   */
  readonly undecodable_as?: string;
  /** Headers of all its answers; a document's own go before. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly open: (deps: Deps) => OpenRoom;
};

/** A room at work. */
export type OpenRoom = {
  readonly endpoints: readonly Endpoint[];
  readonly pages: readonly Page[];
  readonly documents: readonly Document[];
  /** Serves `/docs`, where people read `openapi.json` and try it out. */
  readonly has_docs?: true;
  /** Serves `openapi.json` as `openapi.yaml` as well. */
  readonly has_openapi_yaml?: true;
  /** Headers of `openapi.json`, which the host serves. */
  readonly document_headers?: Readonly<Record<string, string>>;
  readonly raw?: readonly RawEndpoint[];
  /** Sees every request to the room first, pages, documents and unknown paths among them; may refuse it. */
  readonly before_all?: (head: Head) => Promise<void> | void;
  /**
   * What the room does once the house listens and before its jobs begin; that ends the start if it rejects.
   * Requests are answered meanwhile, unless `before_all` holds them.
   */
  readonly start?: () => Promise<void>;
  /** What the operator should know once the room has started, a sentence each. */
  readonly notices?: () => Promise<readonly string[]>;
  readonly commands: readonly CommandHandler[];
  /**
   * Copies what the room keeps beside the database to a path that begins with `path`; answers that, and a
   * sentence about it. What it cannot finish, it takes away.
   */
  readonly backUp?: (path: string) => Promise<{ path: string; said: string } | undefined>;
  /** The command that does so where the database is copied by other means, as on PostgreSQL: before that. */
  readonly back_up_first?: string;
  /** What the front page counts, such as `{ lines: 12 }`. */
  readonly counts: () => Promise<Readonly<Record<string, number>>>;
  /** What the operator has paused of it, such as `registration`. */
  readonly paused?: () => Promise<readonly string[]>;
  /** Ends what the room does by itself. */
  readonly close?: () => void;
};
