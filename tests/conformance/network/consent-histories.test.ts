import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { forEachEngine } from '../../support/engines.ts';
import { type NetworkApi, networkOf, openNetworkHouse } from '../../support/network-api.ts';
import { type Mail, openMail } from '../../support/network-messages.ts';
import type { TestHouse } from '../../support/open-house.ts';

const week_ms = 7 * 86_400_000;
const agents_count = 3;

type Act = 'send' | 'introduce' | 'accept' | 'decline' | 'block' | 'unblock' | 'remove';
type Step = { who: number; whom: number; act: Act } | { pass_ms: number };
type Status = 'pending' | 'accepted' | 'declined';
type Asked = { from: number; to: number; text: string; status: Status; is_hidden: boolean };

const acts = ['send', 'introduce', 'accept', 'decline', 'block', 'unblock', 'remove'] as const;
/** Mostly the same two, so that much happens between them. */
const pairs = [
  [0, 1],
  [1, 0],
  [0, 1],
  [1, 0],
  [0, 1],
  [1, 0],
  [1, 2],
  [2, 1],
  [0, 2],
  [1, 1],
] as const;
const deed = fc
  .tuple(fc.constantFrom(...pairs), fc.constantFrom(...acts, 'send', 'send', 'accept'))
  .map(([[who, whom], act]): Step => ({ who, whom, act }));
const pause = fc.record({ pass_ms: fc.constantFrom(1_000, week_ms - 1_000, week_ms) });
const step = fc.oneof({ weight: 12, arbitrary: deed }, { weight: 1, arbitrary: pause });

const pairKey = (one: number, other: number) => [one, other].sort().join();
const wayKey = (from: number, to: number) => `${from}>${to}`;

/** What the rules of consent make of a history, told once more without a database. */
class Consent {
  now = 0;
  readonly asked: Asked[] = [];
  readonly contacts = new Set<string>();
  readonly blocks = new Set<string>();
  readonly ask_again_at = new Map<string, number>();
  readonly queues: string[][] = Array.from({ length: agents_count }, () => []);
  /** What each sees in its thread with each. */
  readonly threads = new Map<string, string[]>();

  readonly #pending = (from: number, to: number) =>
    this.asked.find((of) => of.from === from && of.to === to && of.status === 'pending');

  #deliver(from: number, to: number, text: string, is_unseen = false): void {
    const add = (who: number, whom: number) =>
      this.threads.set(wayKey(who, whom), [...this.threadOf(who, whom), text]);
    add(from, to);
    if (is_unseen) return;
    add(to, from);
    this.queues[to]?.push(text);
  }

  threadOf(who: number, whom: number): string[] {
    return this.threads.get(wayKey(who, whom)) ?? [];
  }

  /** What the act must answer: a status, and the code of a refusal. */
  take({ who, whom, act }: Extract<Step, { act: Act }>, text: string): string {
    const pair = pairKey(who, whom);
    const to_it = this.#pending(who, whom);
    const from_it = this.#pending(whom, who);
    const seen = from_it?.is_hidden === false ? from_it : undefined;
    const answer: Record<Act, () => string> = {
      send: () => this.#send(who, whom, text, false),
      introduce: () => this.#send(who, whom, text, true),
      accept: () => {
        if (!seen) return '404 unknown_request';
        const is_blocked = this.blocks.has(wayKey(whom, who));
        this.#deliver(whom, who, seen.text);
        seen.status = 'accepted';
        if (to_it) {
          this.#deliver(who, whom, to_it.text, is_blocked);
          to_it.status = 'accepted';
        }
        if (!is_blocked) this.contacts.add(pair);
        this.ask_again_at.delete(wayKey(who, whom));
        return '200';
      },
      decline: () => {
        if (!seen) return '404 unknown_request';
        seen.status = 'declined';
        this.ask_again_at.set(wayKey(whom, who), this.now + week_ms);
        return '200';
      },
      block: () => {
        if (who === whom) return '404 unknown_request';
        this.blocks.add(wayKey(who, whom));
        this.contacts.delete(pair);
        if (from_it) from_it.is_hidden = true;
        return '200';
      },
      unblock: () => {
        if (!this.blocks.delete(wayKey(who, whom))) return '200 unblocked=false';
        if (from_it) from_it.is_hidden = false;
        return '200 unblocked=true';
      },
      remove: () => `200 removed=${this.contacts.delete(pair)}`,
    };
    return answer[act]();
  }

  #send(from: number, to: number, text: string, is_introduction: boolean): string {
    if (from === to) return '400 invalid_to';
    if (this.blocks.has(wayKey(from, to))) return '409 blocked_by_you';
    if (this.contacts.has(pairKey(from, to))) {
      if (is_introduction) return '409 already_contacts';
      this.#deliver(from, to, text);
      return '201';
    }
    if (this.#pending(from, to)) return '409 request_pending';
    if ((this.ask_again_at.get(wayKey(from, to)) ?? 0) > this.now) return '409 request_declined';
    const is_hidden = this.blocks.has(wayKey(to, from));
    this.asked.push({ from, to, text, status: 'pending', is_hidden });
    return '202';
  }

  /** All that one agent may see of it. */
  seenBy(who: number) {
    const all = [...Array(agents_count).keys()].filter((other) => other !== who);
    return {
      contacts: all.filter((other) => this.contacts.has(pairKey(who, other))),
      blocks: all.filter((other) => this.blocks.has(wayKey(who, other))),
      incoming: this.asked
        .filter((of) => of.to === who && of.status === 'pending' && !of.is_hidden)
        .map(({ from, text }) => [from, text]),
      outgoing: this.asked
        .filter(({ from }) => from === who)
        .map(({ to, status }) => [to, status])
        .reverse(),
      queue: this.queues[who],
      threads: all.map((other) => this.threadOf(who, other)),
    };
  }
}

forEachEngine((engine) => {
  let house: TestHouse;
  let net: NetworkApi;
  before(async () => {
    house = await openNetworkHouse({ engine });
    net = networkOf(house);
  });
  after(() => house.close());

  async function act(mails: Mail[], { who, whom, act }: Extract<Step, { act: Act }>, text: string) {
    const [mail, other] = [mails[who], mails[whom]];
    assert.ok(mail && other);
    const { handle } = other.agent;
    const reply = await {
      send: () => mail.send(other.agent, { text }),
      introduce: () => mail.introduce(other.agent, text),
      accept: () => mail.answer(handle, 'accept'),
      decline: () => mail.answer(handle, 'decline'),
      block: () => mail.answer(handle, 'block'),
      unblock: () => mail.post(`/v1/net/blocks/${handle}/remove`),
      remove: () => mail.post(`/v1/net/contacts/${handle}/remove`),
    }[act]();
    const { error, unblocked, removed } = reply.body;
    const said = { unblocked, removed };
    const [more] = Object.entries(said).filter(([, value]) => value !== undefined);
    return [reply.status, error, more?.join('=')].filter((part) => part !== undefined).join(' ');
  }

  /** What one agent is told of all the others. */
  async function look(mails: Mail[], who: number) {
    const mail = mails[who];
    assert.ok(mail);
    const indexOf = ({ account, handle }: { account?: string; handle?: string }) =>
      mails.findIndex(({ agent }) => agent.account === account || agent.handle === handle);
    // An introduction wraps what its sender says.
    const textOf = ({ text }: { text: string }) => /act \d+/.exec(text)?.[0] ?? text;
    const { contacts, blocks } = (await mail.get('/v1/net/contacts')).body;
    const { incoming, outgoing } = (await mail.get('/v1/net/requests')).body;
    const queue = (await mail.get('/v1/net/messages?limit=200')).body.messages;
    const threads = (await mail.get('/v1/net/threads')).body.threads;
    const texts = new Map<number, string[]>();
    for (const { id, with: other } of threads) {
      const { messages } = (await mail.get(`/v1/net/threads/${id}`)).body;
      texts.set(indexOf(other), messages.map(textOf));
    }
    assert.deepEqual(
      queue.map(({ seq }: { seq: number }) => seq),
      queue.map((_: unknown, index: number) => index + 1),
    );
    assert.equal((await mail.get('/v1/net/me')).body.pending_requests, incoming.length);
    return {
      contacts: contacts.map(indexOf).sort(),
      blocks: blocks.map(indexOf).sort(),
      incoming: incoming.map((of: { from_account: string; message: { text: string } }) => [
        indexOf({ account: of.from_account }),
        textOf(of.message),
      ]),
      outgoing: outgoing.map((of: { to_account: string; status: Status }) => [
        indexOf({ account: of.to_account }),
        of.status,
      ]),
      queue: queue.map(textOf),
      threads: mails.flatMap((_, other) => (other === who ? [] : [texts.get(other) ?? []])),
    };
  }

  test('whatever three agents do to each other, each is answered and sees what the rules of consent make of it [NET-126] [NET-127] [NET-131] [NET-132] [NET-133] [NET-134] [NET-135] [NET-137] [NET-140] [NET-146] [NET-147] [NET-148] [NET-149] [NET-154] [NET-155]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const consent = new Consent();
        const mails = await openMail(net, 'One', 'Two', 'Three');
        for (const [index, step] of steps.entries()) {
          house.clock.advance(1);
          consent.now += 1;
          if ('pass_ms' in step) {
            house.clock.advance(step.pass_ms);
            consent.now += step.pass_ms;
            continue;
          }
          const text = `act ${index}`;
          const expected = consent.take(step, text);
          assert.equal(await act(mails, step, text), expected, `${text}: ${JSON.stringify(step)}`);
        }
        for (const who of mails.keys()) {
          assert.deepEqual(await look(mails, who), consent.seenBy(who));
        }
      }),
      { numRuns: engine === 'sqlite' ? 60 : 8 },
    );
  });
});
