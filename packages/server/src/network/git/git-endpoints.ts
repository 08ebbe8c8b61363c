import { RefusalError } from '../../refusal.ts';
import type { RawEndpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { readOwner } from './embedded/git-call.ts';
import { embeddedEndpoints } from './embedded/git-endpoints.ts';

/** What git reads and writes cards with. */
export function gitEndpoints(network: Network): RawEndpoint[] {
  const { git_host } = network;
  if (git_host.kind === 'embedded') return embeddedEndpoints(network, git_host);
  // Git follows it for all that comes after.
  const goThere: RawEndpoint = {
    method: 'GET',
    path: '/:handle/:repository/info/refs',
    reads: { octets_max: 0 },
    async answer(request) {
      const service = request.query.get('service') ?? '';
      if (!/^git-(upload|receive)-pack$/.test(service)) throw new RefusalError('not_found');
      const { handle } = await readOwner(network, request);
      const location = `${git_host.urlOf(handle)}/info/refs?service=${service}`;
      return { status: 302, headers: { location } };
    },
  };
  return [goThere];
}
