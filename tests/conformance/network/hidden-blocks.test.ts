import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../../support/bar-trust.ts';
import { forEachEngine } from '../../support/engines.ts';
import {
  assertNo,
  type NetworkApi,
  type NetworkReply,
  networkOf,
  openNetworkHouse,
} from '../../support/network-api.ts';
import { befriend, type Mail, openMail } from '../../support/network-messages.ts';
import type { TestHouse } from '../../support/open-house.ts';

const pending = [409, 'request_pending'] as const;

/** How two accounts stand before the recipient blocks the sender, and what it does in place of that. */
type History = {
  readonly name: string;
  prepare(sender: Mail, recipient: Mail): Promise<unknown>;
  /** What an account does that does not block, and must look the same from the other side. */
  instead(sender: Mail, recipient: Mail): Promise<unknown>;
  /** What the sender does once it is blocked, before it looks around. */
  afterwards?(sender: Mail, recipient: Mail): Promise<unknown>;
};

const nothing = async () => {};
const remove = (sender: Mail, recipient: Mail) =>
  recipient.post(`/v1/net/contacts/${sender.agent.handle}/remove`);

/** Asks an account, and waits until it has its notice of that, which a job writes after the answer. */
async function ask(asking: Mail, asked: Mail): Promise<void> {
  await asking.send(asked.agent);
  await eventually(async () => {
    const { messages } = (await asked.get('/v1/inbox')).body;
    assert.deepEqual(
      messages.map(({ kind }: { kind: string }) => kind),
      ['notice'],
    );
  });
}

/** Accepts a request of who blocks the sender; whoever does not block ends the contact at once. */
async function acceptInVain(sender: Mail, recipient: Mail): Promise<void> {
  const accepted = await sender.answer(recipient.agent.handle, 'accept');
  assert.equal(accepted.status, 200, accepted.text);
  await remove(sender, recipient);
}

const histories: readonly History[] = [
  { name: 'stranger', prepare: nothing, instead: nothing },
  {
    name: 'pending',
    prepare: (sender, recipient) => sender.send(recipient.agent),
    instead: nothing,
  },
  { name: 'contact', prepare: befriend, instead: remove },
  {
    name: 'declined',
    async prepare(sender, recipient) {
      const { id } = (await sender.send(recipient.agent)).body.request;
      await recipient.answer(id, 'decline');
    },
    instead: nothing,
  },
  {
    name: 'asked',
    prepare: (sender, recipient) => ask(recipient, sender),
    instead: nothing,
    afterwards: acceptInVain,
  },
  {
    name: 'crossing',
    async prepare(sender, recipient) {
      await sender.send(recipient.agent);
      await ask(recipient, sender);
    },
    instead: nothing,
    afterwards: acceptInVain,
  },
];

type Operation = { requestBody?: unknown };

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    const limits = {
      messages_per_minute_max: 40,
      requests_per_day_max: 4,
      agent_requests_per_day_max: 4,
    };
    house = await openNetworkHouse({ engine, limits });
    net = networkOf(house);
  });
  after(() => house.close());

  /** Every route of messages, consent and inboxes that answers at once, as its method and path. */
  async function everyRoute(): Promise<{ method: string; path: string; takes_body: boolean }[]> {
    const { body } = await net.call('GET', '/openapi.json');
    const paths = Object.entries(body.paths as Record<string, Record<string, Operation>>);
    return paths
      .filter(([path]) => /^\/v1\/(net|inbox|sigil\/keys)/.test(path))
      .filter(([path]) => !path.endsWith('/stream'))
      .flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, { requestBody }]) => ({
          method: method.toUpperCase(),
          path,
          takes_body: requestBody !== undefined,
        })),
      );
  }

  /** All that an answer says, with ids, and what differs between two pairs, taken out of it. */
  function masked({ status, headers, text }: NetworkReply, [own, other]: [Mail, Mail]): string {
    const named = [...headers]
      .filter(([name]) => !['date', 'x-request-id'].includes(name))
      .map(([name, value]) => `${name}: ${value}`);
    return `${status}\n${named.join('\n')}\n${text}`
      .replaceAll(own.agent.handle, '<own>')
      .replaceAll(other.agent.handle, '<other>')
      .replaceAll(/(rq|msg|th|ev|dm)_[A-Za-z0-9_-]{22}/g, '$1_id')
      .replaceAll(/"commit":"[0-9a-f]+"/g, '"commit"')
      .replaceAll(/"secret":"[^"]+"/g, '"secret"');
  }

  /** What one side gets from every route, those with an id asked for each that it may know. */
  async function walk(own: Mail, other: Mail): Promise<string[]> {
    const { outgoing } = await own.requests();
    const { threads } = (await own.get('/v1/net/threads')).body;
    const thread = threads[0]?.id ?? 'th_none';
    const messages = (await own.get(`/v1/net/threads/${thread}`)).body.messages ?? [];
    const ids: Record<string, string[]> = {
      '/v1/net/threads/{id}': [thread],
      '/v1/net/messages/{id}/read': messages.map(({ id }: { id: string }) => id),
    };
    const requests = [other.agent.handle, outgoing[0]?.id ?? 'rq_none'];
    const said: string[] = [];
    for (const { method, path, takes_body } of await everyRoute()) {
      // Who unblocks or removes acts for itself; answers are asked for what is not theirs to answer.
      for (const id of ids[path] ?? (path.includes('{id}') ? requests : [''])) {
        if (path.endsWith('{id}/block') && id === other.agent.handle) continue;
        const target = path.replace('{id}', id).replace('{handle}', other.agent.handle);
        const query = { wait: '?timeout=0', directory: `?q=${other.agent.handle}` }[
          path.split('/').at(-1) ?? ''
        ];
        const body = takes_body
          ? { body: { to: other.agent.handle, text: 'x', reason: 'y', query: other.agent.handle } }
          : {};
        const { passcode } = own.agent;
        const reply = await net.call(method, target + (query ?? ''), { ...body, passcode });
        said.push(`${method} ${path}\n${masked(reply, [own, other])}`);
      }
    }
    return said;
  }

  /** What is left of a sender's limits and of a recipient's, seen from outside. */
  async function remaining(own: Mail, other: Mail, extras: readonly Mail[]) {
    const asked: number[] = [];
    for (const extra of extras) asked.push((await extra.send(other.agent)).status);
    const [first] = extras as [Mail];
    const requests: number[] = [];
    for (const extra of extras) requests.push((await own.send(extra.agent)).status);
    let messages = 0;
    while ((await own.send(first.agent)).status !== 429) messages += 1;
    return { asked, requests, messages };
  }

  // The last of them does most; the rest is the same whatever the rows lie in.
  const walked = engine === 'sqlite' ? histories : histories.slice(-1);
  for (const { name, prepare, instead, afterwards = nothing } of walked) {
    test(`${name}: nothing that a blocked account sees differs from what others see [NET-146] [NET-147] [NET-148] [NET-150] [NET-151] [NET-152]`, async () => {
      const sides: string[][] = [];
      const left: unknown[] = [];
      for (const side of ['a', 'b'] as const) {
        const letters = ['s', 'r', 'w', 'x', 'y', 'z'].map((letter) => letter + side + name);
        const mails = (await openMail(net, ...letters)) as [Mail, Mail, ...Mail[]];
        const [sender, recipient, ...extras] = mails;
        await recipient.post('/v1/net/settings', { read_receipts: true });
        await prepare(sender, recipient);
        if (side === 'a') {
          const blocked = await recipient.answer(sender.agent.handle, 'block');
          assert.equal(blocked.status, 200);
        } else await instead(sender, recipient);
        await afterwards(sender, recipient);
        const said = [...(await walk(sender, recipient)), ...(await walk(sender, recipient))];
        assert.ok(said.length > 40);
        sides.push(said);
        left.push(await remaining(sender, recipient, extras));
      }
      const [blocked = [], others = []] = sides;
      for (const [index, answer] of blocked.entries()) assert.equal(answer, others[index]);
      assert.deepEqual(left[0], left[1]);
    });
  }

  test('the blocker sees nothing of what a blocked account sends [NET-149] [NET-155]', async () => {
    const [sender, blocker] = (await openMail(net, 'Unheard', 'Deaf')) as [Mail, Mail];
    await blocker.answer(sender.agent.handle, 'block');
    const seen = async () =>
      Promise.all(
        ['requests', 'messages', 'threads', 'me', 'contacts', 'webhook']
          .map((path) => `/v1/net/${path}`)
          .concat('/v1/inbox')
          .map(async (path) => (await blocker.get(path)).text),
      );
    const silence = await seen();
    const waiting = blocker.get('/v1/inbox/wait?timeout=1');
    const { request } = (await sender.send(blocker.agent)).body;
    assertNo(await sender.send(blocker.agent), pending);
    assertNo(await sender.introduce(blocker.agent), pending);
    // Time enough for a job that should not do anything.
    await sleep(300);
    assert.deepEqual(await seen(), silence);
    house.clock.advance(1_000);
    assert.deepEqual((await waiting).body.messages, []);
    for (const id of [request.id, sender.agent.handle]) {
      for (const how of ['accept', 'decline'] as const) {
        assertNo(await blocker.answer(id, how), [404, 'unknown_request']);
      }
    }
    assertNo(await blocker.answer(request.id, 'block'), [404, 'unknown_request']);
    assertNo(await blocker.send(sender.agent), [409, 'blocked_by_you']);
    assertNo(await blocker.introduce(sender.agent), [409, 'blocked_by_you']);
    assert.deepEqual((await sender.requests()).incoming, []);
  });

  test('lifting a block shows a request that still waits, makes no contact and tells nobody [NET-154]', async () => {
    const [sender, blocker] = (await openMail(net, 'Patient', 'Lifter')) as [Mail, Mail];
    await sender.send(blocker.agent, { text: 'before' });
    await blocker.answer(sender.agent.handle, 'block');
    const path = `/v1/net/blocks/${sender.agent.address}/remove`;
    const looks = async () => [
      (await sender.get('/v1/net/requests')).text,
      (await sender.get('/v1/net/contacts')).text,
    ];
    const before_it = await looks();
    assert.deepEqual((await blocker.post(path)).body, { unblocked: true });
    assert.deepEqual((await blocker.post(path)).body, { unblocked: false });
    assert.deepEqual(await looks(), before_it);
    assert.deepEqual((await blocker.get('/v1/net/contacts')).body, { contacts: [], blocks: [] });
    const [shown] = (await blocker.requests()).incoming;
    assert.equal((shown?.message as { text: string } | undefined)?.text, 'before');
    assertNo(await sender.send(blocker.agent), pending);
    const accepted = await blocker.answer(sender.agent.handle, 'accept');
    assert.equal(accepted.body.message.text, 'before');
    assertNo(await blocker.post('/v1/net/blocks/nobody/remove'), [404, 'unknown_recipient']);
  });

  test('who accepts a request of its blocker gets the message, and what it wrote itself is seen by it alone [NET-137] [NET-149]', async () => {
    const [blocked, blocker] = (await openMail(net, 'Accepting', 'Blocking')) as [Mail, Mail];
    await blocked.send(blocker.agent, { text: 'never seen' });
    await blocker.send(blocked.agent, { text: 'seen' });
    await blocker.answer(blocked.agent.handle, 'block');
    const accepted = await blocked.answer(blocker.agent.handle, 'accept');
    assert.equal(accepted.body.message.text, 'seen');
    const read = async (mail: Mail) => {
      const [thread] = (await mail.get('/v1/net/threads')).body.threads;
      const { messages } = (await mail.get(`/v1/net/threads/${thread.id}`)).body;
      const texts = messages.map(({ text }: { text: string }) => text);
      return [thread.message_count, thread.unread, texts];
    };
    assert.deepEqual(await read(blocked), [2, 1, ['seen', 'never seen']]);
    assert.deepEqual(await read(blocker), [1, 0, ['seen']]);
    assert.deepEqual(await blocker.queue(), []);
    const outgoing = async (mail: Mail) => (await mail.requests()).outgoing[0]?.status;
    assert.deepEqual([await outgoing(blocked), await outgoing(blocker)], ['accepted', 'accepted']);
    const [, unseen] = (
      await blocked.get(
        `/v1/net/threads/${(await blocked.get('/v1/net/threads')).body.threads[0].id}`,
      )
    ).body.messages;
    const mark = `/v1/net/messages/${unseen.id}/read`;
    assertNo(await blocker.post(mark), [404, 'unknown_message']);
  });

  test('a blocked send writes the rows of a held one and takes as long [NET-153]', async () => {
    await using house = await openNetworkHouse({ engine });
    const net = networkOf(house);
    const { read } = house.house.deps;
    const tables = ['net_request', 'net_message', 'net_thread', 'net_block'];
    const countAll = (table: string) => sql`(select count(*) from ${sql.table(table)})`;
    const counts = async () => {
      // What is counted stands in either table, and so does a nonce.
      const counted = sql`(select count(*) from net_counted) +
        coalesce((select sum(length(instants)) from net_tally), 0) / 6`;
      const nonces = sql`(select count(*) from net_nonce) + (select count(*) from net_nonce_new)`;
      const { rows } = await sql<Record<string, number>>`
        select ${sql.join([...tables.map(countAll), nonces, counted].map((of, at) => sql`${of} as ${sql.ref(`c${at}`)}`))}`.execute(
        read,
      );
      return Object.values(rows[0] ?? {}).map(Number);
    };
    const rounds = 10;
    const names = Array.from({ length: rounds * 2 }, (_, index) => `Timed ${index}`);
    const mails = await openMail(net, ...names);
    const [blocking, plain] = (await openMail(net, 'Clocked', 'Clocked Too')) as [Mail, Mail];
    const targets = { blocked: blocking, held: plain };
    for (const mail of mails) await blocking.answer(mail.agent.handle, 'block');
    const took_ms: Record<'blocked' | 'held', number[]> = { blocked: [], held: [] };
    const written: Record<'blocked' | 'held', Set<string>> = {
      blocked: new Set(),
      held: new Set(),
    };
    for (const [index, mail] of mails.entries()) {
      const kind = index % 2 ? 'blocked' : 'held';
      const before_it = await counts();
      const began_at = performance.now();
      const { status } = await mail.send(targets[kind].agent);
      took_ms[kind].push(performance.now() - began_at);
      assert.equal(status, 202);
      const added = (await counts()).map((count, at) => count - (before_it[at] ?? 0));
      written[kind].add(added.join());
    }
    assert.deepEqual([...written.blocked], ['1,0,0,0,0,3']);
    assert.deepEqual([...written.held], ['1,0,0,0,0,3']);
    const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
    const ratio = median(took_ms.blocked) / median(took_ms.held);
    assert.ok(ratio > 1 / 5 && ratio < 5, `blocked sends take ${ratio} times as long as held ones`);
  });
});
