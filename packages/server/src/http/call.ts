import type { IncomingHttpHeaders } from 'node:http';
import type { Input, RefusalCode, Route } from '@stoa/wire';
import type { TObject } from 'typebox';
import type { RefusalError, RefusalOptions } from '../refusal.ts';

/** A request before its body is read. */
export type Head = {
  readonly headers: IncomingHttpHeaders;
  /** Who is counted by limits: the client's IPv4 address, or the /64 of its IPv6 address. */
  readonly client: string;
  /** What stands before the room's paths for this caller: its mount, or nothing on its own host. */
  readonly base_path: string;
};

/** One request, as its use case sees it: validated, and with nothing of the HTTP host about it. */
export type Call<R extends Route> = Head & {
  readonly params: Input<R, 'params'>;
  readonly query: Input<R, 'query'>;
  readonly body: Input<R, 'body'>;
  /** Given when the client goes away. */
  readonly signal: AbortSignal;
  /** What to throw to refuse; only codes that the route lists compile. */
  readonly refuse: (code: RefusalCode<R>, options?: RefusalOptions) => RefusalError;
};

/** The route that a page with a query stands for. */
export type PageRoute<Query extends TObject> = Omit<Route, 'query'> & { readonly query: Query };
