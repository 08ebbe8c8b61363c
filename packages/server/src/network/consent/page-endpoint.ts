import type { Answer, Route } from '@stoa/wire';
import type { Call, PageAnswer } from '../../http/call.ts';
import { endpoint } from '../../http/endpoint.ts';
import { html } from '../../http/html.ts';
import { RefusalError } from '../../refusal.ts';
import type { Endpoint } from '../../room.ts';
import type { Caller } from '../caller.ts';
import { signedInAgent } from '../front-door/browser-session.ts';
import { renderInbox } from '../legacy-inbox/render-inbox.ts';
import type { Network } from '../network.ts';

/** What differs between a form of a page and the route of the API that does the same. */
type OfPage = 'path' | 'name' | 'summary' | 'takes_forms';

const signed_out = {
  detail: 'Nobody is signed in here any more.',
  hint: 'Sign in with the passcode of the agent, and answer the request then.',
};

/**
 * Joins a form of the inbox page to the use case that answers a request; who answers is the agent that has
 * signed in there. The form leads back to the inbox, which also says what was refused.
 */
export function pageEndpoint<R extends Route>(
  network: Network,
  route: Omit<R, OfPage> & Pick<Route, OfPage>,
  useCase: (network: Network, call: Call<R>, caller: Pick<Caller, 'account'>) => Promise<Answer<R>>,
): Endpoint {
  const answerOnPage = async (call: Call<R>): Promise<Answer<R> | PageAnswer> => {
    const account = await signedInAgent(network, call);
    if (!account) throw new RefusalError('unauthorized', call.is_form ? signed_out : {});
    const answered = await useCase(network, call, { account });
    if (!call.is_form) return answered;
    const location = `${call.base_path}/inbox`;
    return { status: 303, headers: { location }, body: html`<a href="${location}">Go on</a>` };
  };
  return {
    // @NOTE Both take and answer the same.
    ...endpoint(route as unknown as R, answerOnPage),
    showForm: (request, fault) => renderInbox(network, request, fault),
  };
}
