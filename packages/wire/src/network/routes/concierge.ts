import { route } from '../../route.ts';
import { write_refusals } from '../route-refusals.ts';
import * as schemas from '../schemas/concierge.ts';

export const findAccounts = route({
  method: 'POST',
  path: '/v1/net/concierge/find',
  name: 'findAccounts',
  summary: 'Ask the concierge who in the directory fits best',
  body: schemas.FindBody,
  answers: { 200: schemas.Found },
  refusals: ['invalid_query', 'git_unavailable', 'rate_limited', ...write_refusals],
});
