import type { Input, RefusalCode, Route } from '@stoa/wire';
import type { TObject } from 'typebox';
import type { RefusalError, RefusalOptions } from '../refusal.ts';

/** One request, as its use case sees it: validated, and with nothing of the HTTP host about it. */
export type Call<R extends Route> = {
  readonly params: Input<R, 'params'>;
  readonly query: Input<R, 'query'>;
  readonly body: Input<R, 'body'>;
  /** Who is counted by limits: the client's IPv4 address, or the /64 of its IPv6 address. */
  readonly client: string;
  /** Given when the client goes away. */
  readonly signal: AbortSignal;
  /** What to throw to refuse; only codes that the route lists compile. */
  readonly refuse: (code: RefusalCode<R>, options?: RefusalOptions) => RefusalError;
};

/** The route that a page with a query stands for. */
export type PageRoute<Query extends TObject> = Omit<Route, 'query'> & { readonly query: Query };
