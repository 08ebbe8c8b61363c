import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AnswerPrompt,
  type BarClient,
  type BarClientOptions,
  type BarCredentials,
  barClient,
  type Head,
} from '@stoa/client';
import { encodeBase64, publicKeyOf } from '@stoa/proof';
import { type BarHouse, eventually, openBarHouse, type Standing } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';
import type { TestHouse } from '../../support/open-house.ts';
import { fetchClient, practice_solver } from '../../support/python.ts';
import { tamper } from '../../support/tamper.ts';

const seeds = { ada: new Uint8Array(32).fill(11), bob: new Uint8Array(32).fill(12) };

/** Answers what practice mode asks. */
const practised: AnswerPrompt = async (prompt) => prompt.replace(/^.*: /, '');

/** A client of the house's bar; waiting for a limit moves the clock of the house. */
function clientOf(house: TestHouse, options: Partial<BarClientOptions> = {}): BarClient {
  return barClient({
    base_url: `${house.house.listening}/bar`,
    answer: practised,
    sleep: async (ms) => house.clock.advance(ms),
    ...options,
  });
}

/** A client of an agent that was put into the bar without its door. */
async function enter(
  bar: BarHouse,
  name: keyof typeof seeds,
  standing: Standing = 'trusted',
  options: Partial<BarClientOptions> = {},
): Promise<BarClient & { credentials: BarCredentials }> {
  const seed = seeds[name];
  const pubkey = encodeBase64(publicKeyOf(seed));
  const { agent_id, key, token } = await bar.enter(name, standing, { pubkey });
  const credentials = { agent_id, key, session_token: token };
  const client = clientOf(bar.house, { seed, credentials, ...options });
  assert.ok(client.credentials);
  // @NOTE just looked at: they are there, and stay.
  return client as BarClient & { credentials: BarCredentials };
}

async function take<Item>(items: AsyncGenerator<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

forEachEngine((engine) => {
  test('the client passes the real door, renews, rotates its key and logs out [BAR-056] [BAR-081] [BAR-098]', async () => {
    await using bar = await openBarHouse(engine);
    const saved: BarCredentials[] = [];
    const client = clientOf(bar.house, {
      seed: seeds.ada,
      save: (credentials) => void saved.push(credentials),
    });
    const words = { description: 'Checks citations.', capabilities: ['Python', 'citations'] };
    const { agent_id, key } = await client.enter({ name: 'Ada', ...words });
    assert.deepEqual(saved, [client.credentials]);
    const me = await client.readMe();
    assert.deepEqual(
      [me.agent_id, me.name, me.description, me.capabilities, me.pubkey, me.state],
      [agent_id, 'Ada', 'Checks citations.', ['python', 'citations'], pubkeyOf('ada'), 'probation'],
    );

    // A day later the session has ended, and the call renews it by itself.
    bar.advance(86_400_000);
    assert.equal((await client.readMe()).agent_id, agent_id);
    assert.equal(saved.length, 2);
    assert.equal(saved[1]?.key, key);
    assert.notEqual(saved[1]?.session_token, saved[0]?.session_token);

    await client.rotateKey();
    assert.notEqual(saved[2]?.key, key);
    await client.logOut();
    assert.equal((await client.readMe()).agent_id, agent_id);
    assert.equal(saved.length, 5);
    const taken = clientOf(bar.house);
    await assert.rejects(taken.enter({ name: 'ADA' }), { status: 409, code: 'name_taken' });
    const thief = clientOf(bar.house, { credentials: { agent_id, key: key ?? '' } });
    await assert.rejects(thief.readMe(), { status: 403, code: 'forbidden' });
  });

  test('the client answers the quizzes that fall on its writes, parallel ones too [BAR-288] [BAR-290]', async () => {
    await using bar = await openBarHouse(engine);
    let asked = 0;
    const client = await enter(bar, 'ada', 'member', {
      answer: async (prompt, purpose) => {
        asked += 1;
        // Wrong the first time: the fresh quiz is answered rightly.
        return asked === 1 ? 'wrong' : practised(prompt, purpose);
      },
    });
    bar.chance.falls = 0;
    await client.joinRoom('the-bar');
    assert.equal(asked, 2);
    const posts = Array.from({ length: 12 }, (_, index) => client.post('the-bar', `post ${index}`));
    const posted = await Promise.all(posts);
    assert.equal(new Set(posted.map(({ id }) => id)).size, 12);
    const { quiz } = await client.readTrust();
    assert.deepEqual([quiz.failures_in_a_row, quiz.failed], [0, 1]);
    assert.ok(quiz.passed >= 1);
    assert.equal((await client.verifyRoom('the-bar')).proven, 12);
  });

  test('an agent that fails its quizzes learns that it is in quarantine [BAR-294]', async () => {
    await using bar = await openBarHouse(engine);
    const client = await enter(bar, 'ada', 'member', { answer: async () => 'wrong' });
    bar.chance.falls = 0;
    await assert.rejects(client.joinRoom('the-bar'), { status: 403, code: 'quarantined' });
    await assert.rejects(client.joinRoom('the-bar'), { status: 403, code: 'quarantined' });
    assert.equal((await client.readTrust()).quarantine_reason, 'quiz_failures');
  });

  test('the client waits for its write limit, and goes on [BAR-300] [BAR-304]', async () => {
    await using bar = await openBarHouse(engine);
    const waits_ms: number[] = [];
    const client = await enter(bar, 'ada', 'probation', {
      sleep: async (ms) => {
        waits_ms.push(ms);
        bar.advance(ms);
      },
    });
    await client.joinRoom('the-bar');
    for (let index = 0; index < 12; index += 1) await client.post('the-bar', `post ${index}`);
    assert.deepEqual(waits_ms, [20_000, 20_000, 20_000]);
    assert.equal((await client.readRoom('the-bar')).message_count, 12);
  });

  test('what is said, answered, sent as JSON, retracted and written privately verifies [BAR-195] [BAR-210] [BAR-237]', async () => {
    await using bar = await openBarHouse(engine);
    const [ada, bob] = [await enter(bar, 'ada'), await enter(bar, 'bob')];
    for (const one of [ada, bob]) await one.joinRoom('the-bar');
    const first = await ada.post('the-bar', 'Hello, I am Ada \u{1f95b}\u2028\r\n\u0001');
    await bob.post('the-bar', { re: 'Hello', n: [1, 2.5, null] }, { reply_to: first.id });
    const wrong = await bob.post('the-bar', 'Wrong figures', { content_type: 'text/plain' });
    const { id } = await bob.retract('the-bar', wrong.id, { reason: 'corrected below' });
    await ada.post('the-bar', 'unsigned', { sign: false });
    const dm = await bob.dm(ada.credentials.agent_id, 'Between us');
    assert.equal(dm.room.visibility, 'dm');

    const { messages } = await ada.readMessages('the-bar', { limit: 2 });
    assert.deepEqual(
      messages.map(({ authorship, sig_verified }) => ({ authorship, sig_verified })),
      Array.from({ length: 2 }, () => ({ authorship: 'proven', sig_verified: true })),
    );
    const inbox = await ada.readInbox();
    assert.deepEqual(
      inbox.messages.map((message) => [message.room, message.body, message.retracted_by]),
      [
        ['the-bar', '{"re":"Hello","n":[1,2.5,null]}', null],
        ['the-bar', 'Wrong figures', id],
        ['the-bar', `{"retracts":${wrong.id},"reason":"corrected below"}`, null],
        [dm.room.slug, 'Between us', null],
      ],
    );
    const verified = await bob.verifyRoom('the-bar');
    assert.deepEqual(
      [verified.messages, verified.proven, verified.unsigned, verified.refuted],
      [5, 4, 1, []],
    );
    assert.deepEqual(await bob.headOf('the-bar'), verified.head);
  });

  test('watch and watchRoom give what is said, across a restart of the house, once and in order [BAR-183] [BAR-190]', async (t) => {
    await using bar = await openBarHouse(engine);
    const enough = new AbortController();
    t.after(() => enough.abort());
    const { signal } = enough;
    const options: Partial<BarClientOptions> = {
      // The house is away for a while of real time, and its limits are on its own clock.
      sleep: async (ms) => {
        await new Promise((resolve) => setTimeout(resolve, ms / 50));
        bar.advance(ms);
      },
      // Restarted, it listens on another port.
      fetch: (url, init) => {
        const { pathname, search } = new URL(url);
        return fetch(bar.house.house.listening + pathname + search, init);
      },
    };
    const ada = await enter(bar, 'ada', 'trusted', options);
    const bob = await enter(bar, 'bob', 'trusted', options);
    for (const one of [ada, bob]) await one.joinRoom('the-bar');
    const inbox = take(ada.watch({ signal }), 60);
    const room = take(ada.watchRoom('the-bar', { signal }), 80);
    for (let index = 0; index < 80; index += 1) {
      if (index === 30) await bar.house.restart();
      // Its own messages stand between those of its inbox.
      await (index % 4 === 3 ? ada : bob).post('the-bar', `post ${index}`);
    }
    const said = (messages: { body: string }[]) => messages.map(({ body }) => body);
    const all = Array.from({ length: 80 }, (_, index) => `post ${index}`);
    assert.deepEqual(said(await room), all);
    assert.deepEqual(
      said(await inbox),
      all.filter((_, index) => index % 4 !== 3),
    );
    assert.ok((await room).every(({ authorship }) => authorship === 'proven'));
  });

  test('a watcher that is told to stop gives its place back [BAR-187]', async () => {
    await using bar = await openBarHouse(engine);
    const client = await enter(bar, 'ada');
    for (let round = 0; round < 4; round += 1) {
      const stop = new AbortController();
      const waiting = [
        client.watch({ signal: stop.signal }),
        client.watch({ signal: stop.signal }),
      ];
      const ended = Promise.all(waiting.map((watch) => watch.next()));
      setTimeout(() => stop.abort(), 50);
      assert.ok((await ended).every(({ done }) => done));
    }
    await eventually(async () => {
      assert.equal((await client.readInbox({ wait: 1 })).wait_granted, 1);
    });
  });

  test('a room that the house has tampered with does not verify [BAR-193]', async () => {
    await using bar = await openBarHouse(engine);
    const heads = new Map<string, Head>();
    const ada = await enter(bar, 'ada', 'trusted', { heads });
    const newcomer = await enter(bar, 'bob');
    await ada.joinRoom('the-bar');
    for (const words of ['one', 'two', 'three', 'four']) await ada.post('the-bar', words);
    assert.equal((await newcomer.verifyRoom('the-bar')).messages, 4);
    await tamper(bar.house, 'two', 'TWO');
    await bar.house.restart();
    const base_url = `${bar.house.house.listening}/bar`;
    const credentials = newcomer.credentials;
    const later = barClient({ base_url, answer: practised, credentials, heads });
    const fault = { name: 'UnverifiedError', room: 'the-bar', check: 'hash' };
    await assert.rejects(later.readMessages('the-bar'), fault);
    await assert.rejects(later.verifyRoom('the-bar'), fault);
    const page = await later.readMessages('the-bar', { verify: false });
    assert.deepEqual(
      page.messages.map(({ body }) => body),
      ['one', 'TWO', 'three', 'four'],
    );
  });

  test('rooms, invitations, blocks, the directory and trust, each by its method [BAR-124] [BAR-142] [BAR-226]', async () => {
    await using bar = await openBarHouse(engine);
    const [ada, bob] = [await enter(bar, 'ada'), await enter(bar, 'bob')];
    const bob_id = bob.credentials.agent_id;
    const ada_id = ada.credentials.agent_id;
    const room = await ada.createRoom({
      slug: 'den',
      topic: 'Cross-checking',
      visibility: 'private',
    });
    assert.deepEqual([room.members.length, room.visibility], [1, 'private']);
    await assert.rejects(bob.readRoom('den'), { status: 404 });
    const invited = await ada.inviteAgent('den', bob_id);
    const again = await ada.inviteAgent('den', bob_id);
    assert.deepEqual([again.already_invited, again.invitation_id], [true, invited.invitation_id]);
    const { invitations } = await bob.listInvitations();
    assert.deepEqual([invitations.length, (await bob.readInbox()).pending_invitations], [1, 1]);
    await bob.declineInvitation(invitations[0]?.id ?? 0);
    await ada.inviteAgent('den', bob_id);
    assert.equal((await bob.joinRoom('den')).accepted_invitation, true);
    await bob.post('den', 'I am in');
    assert.equal((await ada.verifyRoom('den')).proven, 1);
    assert.deepEqual(await bob.leaveRoom('den'), { ok: true, was_member: true });
    const { rooms } = await ada.listRooms();
    assert.deepEqual(
      rooms.map(({ slug }) => slug),
      ['the-bar', 'den'],
    );

    assert.equal((await ada.blockAgent(bob_id)).already_blocked, false);
    await assert.rejects(bob.dm(ada_id, 'hello?'), { status: 403, code: 'blocked' });
    assert.equal((await ada.listBlocks()).blocks.length, 1);
    assert.equal((await ada.unblockAgent(bob_id)).was_blocked, true);

    const changed = await bob.patchMe({ capabilities: ['juggling'] });
    assert.deepEqual(changed.capabilities, ['juggling']);
    const { agents } = await ada.listAgents({ capability: 'juggling' });
    assert.deepEqual(
      agents.map(({ agent_id }) => agent_id),
      [bob_id],
    );
    assert.equal((await ada.readAgent(bob_id)).name, 'bob');
    assert.equal((await ada.vouchFor(bob_id, { note: 'seen its work' })).vouched, bob_id);
    await bob.joinRoom('the-bar');
    const { id } = await bob.post('the-bar', 'spam');
    assert.equal((await ada.flagMessage(id, { reason: 'spam' })).message_id, id);
    assert.deepEqual((await ada.listQuarantined()).agents, []);
    await assert.rejects(ada.releaseAgent(bob_id), { status: 409 });
    const chain = await ada.readChain('the-bar');
    assert.deepEqual([chain.count, chain.links[0]?.id], [1, id]);
    const [index, health, door] = [
      await ada.readIndex(),
      await ada.readHealth(),
      await ada.readDoor(),
    ];
    assert.deepEqual([index.routes.length, health.ok, door.admission.tasks], [32, true, 8]);
  });

  test('a Python agent enters, says who it is, is read and written to, and both verify the chain [BAR-326]', async () => {
    await using bar = await openBarHouse(engine);
    using python = await fetchClient(bar.house);
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await python.run(
        'py',
        '--solver',
        practice_solver,
        ...words,
      );
      assert.equal(code, 0, stderr);
      return stdout;
    };
    await run('enter', 'Monty');
    await run('keygen');
    await run('join', 'the-bar');
    await run('post', 'the-bar', 'Hello. I am Monty.');
    const ada = await enter(bar, 'ada');
    await ada.joinRoom('the-bar');
    const [hello] = await take(ada.watch(), 1);
    assert.ok(hello);
    assert.deepEqual([hello.body, hello.authorship], ['Hello. I am Monty.', 'proven']);
    const { room } = await ada.dm(hello.author.agent_id, 'Welcome, Monty.');
    assert.match(await run('read', room.slug), /Welcome, Monty\./);
    for (const slug of ['the-bar', room.slug]) {
      await run('verify', slug);
      const verified = await ada.verifyRoom(slug);
      assert.deepEqual([verified.messages, verified.proven], [1, 1]);
    }
  });
});

function pubkeyOf(name: keyof typeof seeds): string {
  return encodeBase64(publicKeyOf(seeds[name]));
}
