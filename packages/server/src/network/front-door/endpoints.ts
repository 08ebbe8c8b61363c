import { network_commands, network_routes } from '@stoa/wire';
import { Type } from 'typebox';
import { endpoint, handler, page } from '../../http/endpoint.ts';
import type { CommandHandler, Endpoint, Page } from '../../room.ts';
import type { Network } from '../network.ts';
import { page_caching } from '../pages/network-page.ts';
import { renderHome } from '../pages/render-home.ts';
import { renderJoin } from '../pages/render-join.ts';
import { renderSignIn } from '../pages/render-sign-in.ts';
import { answerRegistration } from './answer-registration.ts';
import { viewerOf } from './browser-session.ts';
import { listRegistrations } from './list-registrations.ts';
import { pauseRegistration } from './pause-registration.ts';
import { replacePasscode } from './replace-passcode.ts';
import { showAccount } from './show-account.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export function frontDoorEndpoints(network: Network): Endpoint[] {
  return [
    {
      ...endpoint(network_routes.register, (call) => answerRegistration(network, call)),
      showForm: async (request, fault) =>
        renderJoin(network, await viewerOf(network, request), { fault, typed: request.body }),
    },
    endpoint(network_routes.listRegistrations, (call) => listRegistrations(network, call)),
    {
      ...endpoint(network_routes.signIn, (call) => signIn(network, call)),
      showForm: async (request, fault) => {
        const { next = '/' } = request.body as { next?: string };
        return renderSignIn(network, await viewerOf(network, request), { fault, next });
      },
    },
    endpoint(network_routes.signOut, (call) => signOut(network, call)),
  ];
}

export function frontDoorPages(network: Network): Page[] {
  return [
    page(
      '/',
      Type.Object({ next: Type.Optional(Type.String()) }),
      (call) => renderHome(network, call),
      { headers: page_caching },
    ),
    page(
      '/join',
      Type.Object({}),
      async (call) => renderJoin(network, await viewerOf(network, call)),
      { headers: page_caching },
    ),
  ];
}

export function frontDoorCommands(network: Network): CommandHandler[] {
  return [
    handler(network_commands.passcode, ({ handle }) => replacePasscode(network, handle)),
    handler(network_commands.registration, (given) => pauseRegistration(network, given)),
    handler(network_commands.show, ({ handle }) => showAccount(network, handle)),
  ];
}
