import { readFileSync } from 'node:fs';
import type { Document } from '../../room.ts';
import { isRegistrationPaused } from '../front-door/registration-pause.ts';
import type { Network } from '../network.ts';
import { manual } from './manual.ts';
import { networkJson } from './network-json.ts';

const plain = 'text/plain; charset=utf-8';
const json = 'application/json; charset=utf-8';

/** Vectors of the signing rule, as they lie in `protocol/`. */
const readVectors = () =>
  readFileSync(
    new URL('../../../../../protocol/network/vectors/ni-msg-v1.json', import.meta.url),
    'utf8',
  );

/** What programs read before they sign up. */
export function networkDocuments(network: Network): Document[] {
  const vectors = readVectors();
  return [
    {
      path: '/llms.txt',
      content_type: plain,
      text: async () => manual(network, { is_paused: await isRegistrationPaused(network) }),
    },
    {
      path: '/.well-known/agent-network.json',
      content_type: json,
      text: () => `${JSON.stringify(networkJson(network), null, 2)}\n`,
    },
    { path: '/examples/signing-vectors.json', content_type: json, text: () => vectors },
  ];
}
