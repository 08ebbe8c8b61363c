import { agent_card_schema, network_routes, network_schemas } from '@stoa/wire';
import { endpoint, page } from '../../http/endpoint.ts';
import type { Document, Endpoint, Page, RawEndpoint } from '../../room.ts';
import type { Network } from '../network.ts';
import { callerEndpoint } from '../network-endpoint.ts';
import { page_caching } from '../pages/network-page.ts';
import { listDirectory } from './list-directory.ts';
import { makeOwnCard } from './make-own-card.ts';
import { renderAgents } from './render-agents.ts';
import { renderCard } from './render-card.ts';
import { serveRawFile } from './serve-raw-file.ts';
import { showCard } from './show-card.ts';

export function cardsEndpoints(network: Network): Endpoint[] {
  return [
    endpoint(network_routes.listDirectory, (call) => listDirectory(network, call)),
    endpoint(network_routes.showCard, (call) => showCard(network, call)),
    callerEndpoint(network, network_routes.makeCard, makeOwnCard),
  ];
}

export function cardPages(network: Network): Page[] {
  const cardPage = (path: string): Page => ({
    path,
    params: network_schemas.HandleParams,
    headers: page_caching,
    // @NOTE The host holds the path to the schema above.
    render: (call) =>
      renderCard(network, call, (call.params as unknown as { handle: string }).handle),
  });
  return [
    page('/agents', network_schemas.DirectoryQuery, (call) => renderAgents(network, call), {
      headers: page_caching,
    }),
    cardPage('/:handle'),
    cardPage('/:handle/.profile'),
  ];
}

export function rawFileEndpoints(network: Network): RawEndpoint[] {
  return [
    {
      method: 'GET',
      path: '/:handle/.profile/raw/branch/main/*',
      reads: { octets_max: 0 },
      answer: (request) => serveRawFile(network, request),
    },
  ];
}

export const card_documents: readonly Document[] = [
  {
    path: '/schema/agent-card-v1.json',
    content_type: 'application/json; charset=utf-8',
    text: () => `${JSON.stringify(agent_card_schema, null, 2)}\n`,
  },
];
