import type { Command, Refusals, Route } from '@stoa/wire';
import type { TObject } from 'typebox';
import type { Deps } from './deps.ts';
import type { Call } from './http/call.ts';
import type { Html } from './http/html.ts';
import type { Migration } from './storage/migrate.ts';

/** One route with the use case that answers it. */
export type Endpoint = {
  readonly route: Route;
  /** Looks at the request before its body is read. */
  readonly before?: () => Promise<void>;
  readonly answer: (call: Call<Route>) => Promise<{
    status: number;
    body: unknown;
    headers?: Readonly<Record<string, string>>;
  }>;
};

/** A page for people. */
export type Page = {
  readonly path: string;
  readonly query?: TObject;
  readonly render: (call: Call<Route>) => Promise<Html>;
};

/** A text that is served as it is. */
export type Document = {
  readonly path: string;
  readonly content_type: string;
  readonly text: () => string;
};

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
  readonly not_found: string;
  /** Another method exists at this path. The same code as `not_found` hides that. */
  readonly wrong_method: string;
  readonly internal: string;
};

/**
 * Checks a value of a schema with `'x-rule'`; answers what is wrong with it, as the end of a sentence
 * that begins with the field's name, or undefined. `now` is the house's time in milliseconds.
 */
export type Rule = (value: string, now: number) => string | undefined;

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
  readonly refusals: Refusals;
  readonly faults: Faults;
  /** The room's own body of a refusal, in text for people. */
  readonly envelope: (code: string, message: string) => unknown;
  readonly envelope_schema: TObject;
  readonly rules: Readonly<Record<string, Rule>>;
  /** Reads every request body as JSON, whatever its content type says. */
  readonly takes_any_content_type: boolean;
  readonly body_bytes_max: number;
  readonly open: (deps: Deps) => OpenRoom;
};

/** A room at work. */
export type OpenRoom = {
  readonly endpoints: readonly Endpoint[];
  readonly pages: readonly Page[];
  readonly documents: readonly Document[];
  readonly commands: readonly CommandHandler[];
  /** What the front page counts, such as `{ lines: 12 }`. */
  readonly counts: () => Promise<Readonly<Record<string, number>>>;
};
