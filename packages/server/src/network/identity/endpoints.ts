import { network_routes } from '@stoa/wire';
import { endpoint } from '../../http/endpoint.ts';
import type { Endpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { challengeSigil } from './challenge-sigil.ts';
import { openSigilSession } from './open-sigil-session.ts';
import { readMe } from './read-me.ts';
import { readSigilKey } from './read-sigil-key.ts';
import { registerSigilKey } from './register-sigil-key.ts';
import { revokeSigilKey } from './revoke-sigil-key.ts';
import { changeSettings, readSettings } from './settings.ts';

export function identityEndpoints(network: Network): Endpoint[] {
  const { settings } = network;
  return [
    callerEndpoint(network, network_routes.readMe, readMe),
    callerEndpoint(network, network_routes.readSettings, readSettings),
    callerEndpoint(network, network_routes.changeSettings, changeSettings),
    ...(settings.sigil ? sigilEndpoints(network) : []),
  ];
}

function sigilEndpoints(network: Network): Endpoint[] {
  return [
    endpoint(network_routes.challengeSigil, (call) => challengeSigil(network, call)),
    endpoint(network_routes.openSigilSession, (call) => openSigilSession(network, call)),
    callerEndpoint(network, network_routes.registerSigilKey, registerSigilKey),
    callerEndpoint(network, network_routes.revokeSigilKey, revokeSigilKey),
    endpoint(network_routes.readSigilKey, (call) => readSigilKey(network, call)),
  ];
}
