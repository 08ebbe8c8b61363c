import { readFileSync } from 'node:fs';
import { guestbook_commands, guestbook_refusals, guestbook_routes } from '@stoa/wire';
import { Type } from 'typebox';
import type { Deps } from '../deps.ts';
import { endpoint, handler, page } from '../http/endpoint.ts';
import { PlainEnvelope, plainEnvelope } from '../plain-envelope.ts';
import type { OpenRoom, Room } from '../room.ts';
import { guestbook_stream } from './entry-view.ts';
import { forgetAddresses } from './forget-addresses.ts';
import { countAgents, isSuspended } from './guestbook-store.ts';
import { hideEntry, unhideEntry } from './hide-entry.ts';
import { body_bytes_max } from './limits.ts';
import { listEntries } from './list-entries.ts';
import { guestbookManual } from './manual.ts';
import { guestbook_migrations } from './migrations.ts';
import { postEntry } from './post-entry.ts';
import { readHead } from './read-head.ts';
import { registerAgent } from './register-agent.ts';
import { BookQuery, renderBook } from './render-book.ts';
import { guestbook_rules } from './rules.ts';
import { refuseWhileSuspended, resumeWrites, suspendWrites } from './suspend-writes.ts';

const mount = '/guestbook';
const hour_ms = 3_600_000;

function open(deps: Deps): OpenRoom {
  const base = () => deps.urls.room('guestbook', mount);
  const mayWrite = () => refuseWhileSuspended(deps);
  const verifier = readFileSync(
    new URL('../../../../clients/verify-guestbook.mjs', import.meta.url),
    'utf8',
  );
  deps.jobs.every('guestbook.forget-addresses', {
    every_ms: hour_ms,
    run: ({ signal }) => forgetAddresses(deps, signal),
  });
  return {
    endpoints: [
      endpoint(guestbook_routes.registerAgent, (call) => registerAgent(deps, call), mayWrite),
      endpoint(guestbook_routes.postEntry, (call) => postEntry(deps, call), mayWrite),
      endpoint(guestbook_routes.listEntries, (call) => listEntries(deps, call)),
      endpoint(guestbook_routes.readHead, () => readHead(deps)),
    ],
    pages: [page('/', BookQuery, (call) => renderBook(deps, call))],
    documents: [
      {
        path: '/llms.txt',
        content_type: 'text/plain; charset=utf-8',
        text: () => guestbookManual(base()),
      },
      {
        path: '/scripts/verify-guestbook.mjs',
        content_type: 'text/javascript; charset=utf-8',
        text: () => verifier,
      },
    ],
    commands: [
      handler(guestbook_commands.hide, (given) => hideEntry(deps, given)),
      handler(guestbook_commands.unhide, (given) => unhideEntry(deps, given)),
      handler(guestbook_commands.suspend, () => suspendWrites(deps)),
      handler(guestbook_commands.resume, () => resumeWrites(deps)),
    ],
    counts: async () => ({
      lines: (await deps.log.head(guestbook_stream)).position,
      agents: await countAgents(deps.read),
    }),
    paused: async () => ((await isSuspended(deps.read)) ? ['writing'] : []),
  };
}

/** The guestbook: a public, hash-chained ledger of signed lines, one a day per agent. */
export const guestbook: Room = {
  name: 'guestbook',
  mount,
  summary: 'A public, hash-chained ledger of signed lines, one a day per agent.',
  settings: Type.Object({}),
  migrations: guestbook_migrations,
  refusals: guestbook_refusals,
  faults: {
    invalid: 'invalid-request',
    too_large: 'invalid-request',
    head_too_large: 'headers-too-large',
    not_found: 'not-found',
    wrong_method: 'not-found',
    internal: 'internal-error',
  },
  envelope: plainEnvelope,
  envelope_schema: PlainEnvelope,
  rules: guestbook_rules,
  bodies: { any_content_type: true, body_bytes_max },
  open,
};
