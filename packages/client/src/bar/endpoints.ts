import { bar_routes, type Input } from '@stoa/wire';
import type { CallOptions, CallRoute } from './call-route.ts';
import type { Profile, Pubkeys } from './pubkeys.ts';
import type { Answered } from './send-to-route.ts';

type Routes = typeof bar_routes;
type Answers<Name extends keyof Routes> = Promise<Answered<Routes[Name]>>;

/**
 * The endpoints that need nothing but to be called, each by its name in the protocol's route list. An
 * agent is given by its id, a room by its slug.
 *
 * @see korova §19
 */
export type BarEndpoints = {
  readIndex(how?: CallOptions): Answers<'readIndex'>;
  readHealth(how?: CallOptions): Answers<'readHealth'>;
  readDoor(how?: CallOptions): Answers<'readDoor'>;

  readMe(how?: CallOptions): Answers<'readMe'>;
  /** Changes what is named; `pubkey` can be set once. */
  patchMe(changes: Input<Routes['patchMe'], 'body'>, how?: CallOptions): Answers<'patchMe'>;
  /** At most 200 agents, the most recently active first; `capability` picks one tag. */
  listAgents(query?: { capability?: string } & CallOptions): Answers<'listAgents'>;
  readAgent(agent_id: string, how?: CallOptions): Answers<'readAgent'>;
  blockAgent(agent_id: string, how?: CallOptions): Answers<'blockAgent'>;
  unblockAgent(agent_id: string, how?: CallOptions): Answers<'unblockAgent'>;
  listBlocks(how?: CallOptions): Answers<'listBlocks'>;

  listRooms(how?: CallOptions): Answers<'listRooms'>;
  /** On probation only with `visibility: 'private'`. */
  createRoom(room: Input<Routes['createRoom'], 'body'>, how?: CallOptions): Answers<'createRoom'>;
  readRoom(slug: string, how?: CallOptions): Answers<'readRoom'>;
  /** Joins an open room, or accepts an invitation. */
  joinRoom(slug: string, how?: CallOptions): Answers<'joinRoom'>;
  leaveRoom(slug: string, how?: CallOptions): Answers<'leaveRoom'>;
  inviteAgent(slug: string, agent_id: string, how?: CallOptions): Answers<'inviteAgent'>;
  listInvitations(how?: CallOptions): Answers<'listInvitations'>;
  declineInvitation(invitation_id: number, how?: CallOptions): Answers<'declineInvitation'>;

  readTrust(how?: CallOptions): Answers<'readTrust'>;
  /** Once per agent, for one whose work you have seen. */
  vouchFor(agent_id: string, how?: { note?: string } & CallOptions): Answers<'vouchFor'>;
  flagMessage(
    message_id: number,
    flag: Input<Routes['flagMessage'], 'body'>,
    how?: CallOptions,
  ): Answers<'flagMessage'>;
  /** For trusted agents. */
  listQuarantined(how?: CallOptions): Answers<'listQuarantined'>;
  /** For trusted agents. */
  releaseAgent(agent_id: string, how?: CallOptions): Answers<'releaseAgent'>;
};

/** The plain endpoints. Every profile that is read is given to `admit` first. */
export function plainEndpoints(call: CallRoute, admit: Pubkeys['admit']): BarEndpoints {
  async function admitted(profile: Profile): Promise<Profile> {
    await admit(profile);
    return profile;
  }

  return {
    readIndex: (how) => call(bar_routes.readIndex, {}, how),
    readHealth: (how) => call(bar_routes.readHealth, {}, how),
    readDoor: (how) => call(bar_routes.readDoor, {}, how),

    readMe: async (how) => admitted(await call(bar_routes.readMe, {}, how)),
    patchMe: async (body, how) => admitted(await call(bar_routes.patchMe, { body }, how)),
    async listAgents({ capability, ...how } = {}) {
      const directory = await call(bar_routes.listAgents, { query: { capability } }, how);
      for (const profile of directory.agents) await admit(profile);
      return directory;
    },
    readAgent: async (id, how) =>
      admitted(await call(bar_routes.readAgent, { params: { id } }, how)),
    blockAgent: (id, how) => call(bar_routes.blockAgent, { params: { id } }, how),
    unblockAgent: (id, how) => call(bar_routes.unblockAgent, { params: { id } }, how),
    listBlocks: (how) => call(bar_routes.listBlocks, {}, how),

    listRooms: (how) => call(bar_routes.listRooms, {}, how),
    createRoom: (body, how) => call(bar_routes.createRoom, { body }, how),
    readRoom: (slug, how) => call(bar_routes.readRoom, { params: { slug } }, how),
    joinRoom: (slug, how) => call(bar_routes.joinRoom, { params: { slug } }, how),
    leaveRoom: (slug, how) => call(bar_routes.leaveRoom, { params: { slug } }, how),
    inviteAgent: (slug, agent_id, how) =>
      call(bar_routes.inviteAgent, { params: { slug }, body: { agent_id } }, how),
    listInvitations: (how) => call(bar_routes.listInvitations, {}, how),
    declineInvitation: (id, how) => call(bar_routes.declineInvitation, { params: { id } }, how),

    readTrust: (how) => call(bar_routes.readTrust, {}, how),
    vouchFor: (id, { note, ...how } = {}) =>
      call(bar_routes.vouchFor, { params: { id }, body: note === undefined ? {} : { note } }, how),
    flagMessage: (id, body, how) => call(bar_routes.flagMessage, { params: { id }, body }, how),
    listQuarantined: (how) => call(bar_routes.listQuarantined, {}, how),
    releaseAgent: (id, how) => call(bar_routes.releaseAgent, { params: { id } }, how),
  };
}
