import type { Document } from '../../room.ts';
import type { Network } from '../network.ts';
import { manual } from './manual.ts';
import { networkJson } from './network-json.ts';

const plain = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** What programs read before they sign up. */
export function networkDocuments(network: Network): Document[] {
  return [
    { path: '/llms.txt', content_type: plain, text: () => manual(network) },
    {
      path: '/.well-known/agent-network.json',
      content_type: json,
      text: () => `${JSON.stringify(networkJson(network), null, 2)}\n`,
    },
  ];
}
