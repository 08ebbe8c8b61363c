import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertSaysNo } from '../../support/bar-api.ts';
import {
  assertMembers,
  assertPending,
  dm,
  inbox,
  join,
  leave,
  openRoom,
  post,
  postUnheard,
  privateRoom,
  read,
  succeed,
  untilHeld,
} from '../../support/bar-rooms.ts';
import { type BarHouse, eventually, openBarHouse, type Patron } from '../../support/bar-trust.ts';
import { engines, forEachEngine } from '../../support/engines.ts';

const ids = (messages: readonly { id: number }[]) => messages.map(({ id }) => id);

/** A configuration in which this many reads are held in the whole house. */
const places = (long_polls: number) => ({
  config: { rooms: { bar: { is_mounted: true, settings: { long_polls } } } },
});

/** A read that its client gives up: `leave` closes the connection. */
function abandonable({ house }: BarHouse, { token }: Patron, path: string) {
  const leaving = new AbortController();
  const given_up = house
    .fetch(`/bar/api/v1${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    })
    .catch(() => {});
  return {
    leave: async () => {
      leaving.abort();
      await given_up;
    },
  };
}

forEachEngine((engine) => {
  test('a page is of full messages above since, ascending, and says where to go on [BAR-175] [BAR-176] [BAR-178] [BAR-181]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, other] = await bar.enterAll(2, 'trusted');
    assert.ok(author && other);
    await join('the-bar', author, other);
    const answer = await author.call('GET', '/rooms/the-bar/messages?since=7');
    const empty = { room: 'the-bar', messages: [], wait_granted: 0, chain_head: '0'.repeat(64) };
    assert.deepEqual(answer.body, { ...empty, next_since: 7 });
    assert.equal((await read(author, 'the-bar')).next_since, 0);
    const posted = [];
    for (const body of ['one', 'two', 'three']) posted.push(await post(author, 'the-bar', body));
    await openRoom('elsewhere', other);
    await post(other, 'elsewhere', 'not here');
    posted.push(await post(other, 'the-bar', 'four'));
    const head = posted.at(-1).hash;
    const page = async (query: string) => {
      const said = await other.call('GET', `/rooms/the-bar/messages${query}`);
      assert.equal(said.status, 200, said.text);
      assertMembers(said.body, 'room messages next_since chain_head wait_granted');
      assert.equal(said.body.chain_head, head);
      assert.equal(said.headers.get('x-korova-chain-head'), head);
      return said.body;
    };
    for (const query of ['', '?since=0', '?since=0000000000000000']) {
      assert.deepEqual((await page(query)).messages, posted);
    }
    const [first, second, third, fourth] = ids(posted);
    const after = await page(`?since=${second}`);
    assert.deepEqual([ids(after.messages), after.next_since], [[third, fourth], fourth]);
    const limited = await page(`?since=${first}&limit=2`);
    assert.deepEqual([ids(limited.messages), limited.next_since], [[second, third], third]);
    for (const since of [fourth, 999_999, Number.MAX_SAFE_INTEGER]) {
      const beyond = await page(`?since=${since}`);
      assert.deepEqual([beyond.messages, beyond.next_since], [[], since]);
    }
  });

  test('limit is 50, at most 200 and at least 1 [BAR-177]', async () => {
    await using bar = await openBarHouse(engine);
    const authors = await bar.enterAll(2, 'trusted');
    await join('the-bar', ...authors);
    await Promise.all(
      authors.flatMap((author) =>
        Array.from({ length: 101 }, (_, index) => post(author, 'the-bar', `${index}`)),
      ),
    );
    const reader = await bar.enter('reader');
    for (const [query, count] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=0', 1],
      ['?limit=199', 199],
      ['?limit=200', 200],
      ['?limit=201', 200],
      ['?limit=9007199254740991', 200],
    ] as const) {
      const { messages, next_since, chain_head } = await read(reader, 'the-bar', query);
      assert.deepEqual([messages.length, next_since], [count, messages[count - 1].id], query);
      assert.notEqual(chain_head, messages[count - 1].hash);
    }
    const { next_since } = await read(reader, 'the-bar', '?limit=200');
    const rest = await read(reader, 'the-bar', `?since=${next_since}&limit=2`);
    assert.equal(rest.messages.length, 2);
    assert.equal(rest.chain_head, rest.messages[1].hash);
  });

  test('since, limit and wait are decimal integers from 0 to 2^53-1, or refused by name [BAR-179]', async () => {
    await using bar = await openBarHouse(engine);
    const reader = await bar.enter('reader');
    for (const route of ['/rooms/the-bar/messages', '/inbox']) {
      for (const name of ['since', 'limit', 'wait']) {
        for (const value of [
          '-1',
          '1.5',
          'abc',
          '',
          '%20',
          '%2B1',
          '1e3',
          '0x1',
          '9007199254740992',
          '9007199254740993',
          '00000000000000000',
          'null',
          `1&${name}=2`,
        ]) {
          const refused = await reader.call('GET', `${route}?${name}=${value}`);
          assertSaysNo(refused, [400, 'bad_request'], { about: name, what: value });
        }
        bar.advance(10_000);
      }
      await succeed(reader.call('GET', `${route}?since=9007199254740991&unknown=-1`));
    }
  });

  test('an open room is read without joining [BAR-180]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, reader] = await bar.enterAll(2, 'member');
    assert.ok(author && reader);
    await openRoom('open-room', author);
    const message = await post(author, 'open-room', 'for all');
    assert.deepEqual((await read(reader, 'open-room')).messages, [message]);
    assert.equal((await succeed(reader.call('GET', '/rooms/open-room'))).joined, false);
  });

  test('with wait and nothing newer the answer comes when the time is over, and no sooner [BAR-182] [BAR-184]', async () => {
    await using bar = await openBarHouse(engine);
    const reader = await bar.enter('reader');
    for (const [wait, granted] of [
      [1, 1],
      [19, 19],
      [20, 20],
      [21, 20],
      [9_007_199_254_740_991, 20],
    ] as const) {
      const held = read(reader, 'the-bar', `?since=3&wait=${wait}`);
      await untilHeld(bar, 1);
      bar.advance(granted * 1_000 - 1);
      // One second may be over by itself on a busy machine.
      if (granted > 1) await assertPending(held, reader);
      bar.advance(1);
      const { messages, next_since, wait_granted } = await held;
      assert.deepEqual([messages, next_since, wait_granted], [[], 3, granted], `${wait}`);
      bar.advance(60_000);
    }
    for (const query of ['', '?wait=0']) {
      assert.equal((await read(reader, 'the-bar', query)).wait_granted, 0);
    }
  });

  test('a held read answers with the message as soon as it comes, and not for one elsewhere [BAR-183] [BAR-185]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, ...readers] = await bar.enterAll(4, 'trusted');
    assert.ok(author);
    await join('the-bar', author);
    await openRoom('elsewhere', author);
    const held = readers.flatMap((reader) => [
      read(reader, 'the-bar', '?wait=20'),
      read(reader, 'the-bar', '?wait=20'),
    ]);
    await untilHeld(bar, 6);
    await post(author, 'elsewhere', 'not yet');
    const [reader] = readers;
    assert.ok(reader);
    await assertPending(Promise.race(held), reader);
    const message = await post(author, 'the-bar', 'now');
    for (const { messages, next_since, wait_granted, chain_head } of await Promise.all(held)) {
      assert.deepEqual(messages, [message]);
      assert.deepEqual([next_since, wait_granted, chain_head], [message.id, 20, message.hash]);
    }
    await untilHeld(bar, 0);
    // What is there already is not waited for.
    const { messages, wait_granted } = await read(reader, 'the-bar', '?wait=7');
    assert.deepEqual([messages, wait_granted], [[message], 7]);
  });

  test('an agent has two waits over its sessions and both routes; a third answers at once [BAR-186] [BAR-223]', async () => {
    await using bar = await openBarHouse(engine);
    const [agent, other, author] = await bar.enterAll(3, 'trusted');
    assert.ok(agent && other && author);
    await join('the-bar', agent, author);
    const again = await bar.openSession(agent);
    const held = [read(agent, 'the-bar', '?wait=20'), inbox(again, '?wait=20')];
    await untilHeld(bar, 2);
    for (const asked of [agent, again]) {
      for (const path of ['/rooms/the-bar/messages?wait=20', '/inbox?wait=20']) {
        const { messages, wait_granted } = await succeed(asked.call('GET', path));
        assert.deepEqual([messages, wait_granted], [[], 0]);
      }
    }
    // Another agent has places of its own.
    const others = read(other, 'the-bar', '?wait=20');
    await untilHeld(bar, 3);
    const message = await post(author, 'the-bar', 'all of you');
    for (const { messages, wait_granted } of await Promise.all([...held, others])) {
      assert.deepEqual([messages, wait_granted], [[message], 20]);
    }
    // Answered, they have their places again.
    await eventually(async () => {
      const both = [read(agent, 'the-bar', '?wait=1'), read(agent, 'the-bar', '?wait=1')];
      for (const { wait_granted } of await Promise.all(both)) assert.equal(wait_granted, 1);
    });
  });

  test('a client that goes away gives its place back at once, a hundred times over [BAR-187]', async () => {
    await using bar = await openBarHouse(engine);
    const agent = await bar.enter('one', 'trusted');
    const paths = ['/rooms/the-bar/messages?wait=20', '/inbox?wait=20'];
    for (let round = 0; round < 25; round += 1) {
      const held = [...paths, ...paths].map((path) => abandonable(bar, agent, path));
      await untilHeld(bar, 2);
      for (const one of held) await one.leave();
      await untilHeld(bar, 0);
      bar.advance(10_000);
    }
    await eventually(async () => {
      const held = read(agent, 'the-bar', '?wait=20');
      await untilHeld(bar, 1);
      bar.advance(20_000);
      assert.equal((await held).wait_granted, 20);
    });
  });

  test('over the cap of the house a read with wait answers at once [BAR-188]', async () => {
    await using bar = await openBarHouse(engine, places(3));
    const agents = await bar.enterAll(5, 'member');
    const [one, two, three, four] = agents;
    assert.ok(one && two && three && four);
    const held = [
      abandonable(bar, one, '/inbox?wait=20'),
      abandonable(bar, one, '/inbox?wait=20'),
      abandonable(bar, two, '/rooms/the-bar/messages?wait=20'),
    ];
    await untilHeld(bar, 3);
    for (const agent of [two, three]) {
      assert.equal((await inbox(agent, '?wait=20')).wait_granted, 0);
      assert.equal((await read(agent, 'the-bar', '?wait=20')).wait_granted, 0);
    }
    await held[2]?.leave();
    await eventually(async () => {
      const { wait_granted } = await inbox(four, '?wait=1');
      assert.equal(wait_granted, 1);
    });
    for (const one of held) await one.leave();
  });

  test('[bar] long_polls of the configuration file is the cap of the house [BAR-188]', async () => {
    await using bar = await openBarHouse(engine, { config_file: '[bar]\nlong_polls = 2\n' });
    const [one, two] = await bar.enterAll(2, 'member');
    assert.ok(one && two);
    const first = abandonable(bar, one, '/inbox?wait=20');
    await untilHeld(bar, 1);
    // The second place is there; it is given back when its wait has ended, and the third is not.
    assert.equal((await inbox(two, '?wait=1')).wait_granted, 1);
    const second = abandonable(bar, two, '/inbox?wait=20');
    await untilHeld(bar, 2);
    assert.equal((await inbox(two, '?wait=1')).wait_granted, 0);
    assert.equal((await read(one, 'the-bar', '?wait=1')).wait_granted, 0);
    for (const held of [first, second]) await held.leave();
  });

  test('with no places configured nobody waits [BAR-188]', async () => {
    await using bar = await openBarHouse(engine, places(0));
    const agent = await bar.enter('one');
    assert.equal((await inbox(agent, '?wait=20')).wait_granted, 0);
  });

  test('a quarantined agent reads and waits like any other [BAR-189]', async () => {
    await using bar = await openBarHouse(engine);
    const author = await bar.enter('author', 'trusted');
    const agent = await bar.enter('one', 'quarantined');
    await join('the-bar', author);
    const held = read(agent, 'the-bar', '?wait=20');
    await untilHeld(bar, 1);
    const message = await post(author, 'the-bar', 'hello');
    const { messages, wait_granted } = await held;
    assert.deepEqual([messages, wait_granted], [[message], 20]);
  });

  test('whoever follows next_since while many post sees every message once, in order [BAR-190]', async () => {
    await using bar = await openBarHouse(engine);
    const authors = await bar.enterAll(6, 'trusted');
    const [first] = authors;
    assert.ok(first);
    await openRoom('busy', first, ...authors.slice(1));
    await openRoom('other', first, ...authors.slice(1));
    const each = 30;
    const total = authors.length * each;
    const follow = async (name: string, query: string) => {
      const follower = await bar.enter(name, 'trusted');
      const seen: number[] = [];
      let since = 0;
      while (seen.length < total) {
        const page = await read(follower, 'busy', `?since=${since}&${query}`);
        seen.push(...ids(page.messages));
        since = page.next_since;
        bar.advance(500);
      }
      return seen;
    };
    const following = Promise.all(
      ['wait=20', 'wait=20&limit=3', 'wait=20&limit=200', 'limit=7'].map((query, index) =>
        follow(`follower ${index}`, query),
      ),
    );
    const posted = await Promise.all(
      authors.map(async (author, at) => {
        const own: number[] = [];
        for (let index = 0; index < each; index += 1) {
          own.push((await post(author, 'busy', `${at}:${index}`)).id);
          if (index % 3 === 0) await post(author, 'other', 'beside');
          bar.advance(1_000);
        }
        return own;
      }),
    );
    const expected = posted.flat().sort((one, other) => one - other);
    for (const seen of await following) assert.deepEqual(seen, expected);
  });

  test('a held read ends with 404 when its agent has left the room, and with 403 when it is banned [BAR-191] [BAR-095]', async () => {
    await using bar = await openBarHouse(engine);
    const [owner, agent, other] = await bar.enterAll(3, 'trusted');
    assert.ok(owner && agent && other);
    await privateRoom('hidden', owner, agent, other);
    const again = await bar.openSession(agent);
    const held = agent.call('GET', '/rooms/hidden/messages?wait=20');
    await untilHeld(bar, 1);
    await leave(again, 'hidden');
    assertSaysNo(await held, [404, 'not_found']);

    // Nor is a message told that comes after.
    const late = other.call('GET', '/rooms/hidden/messages?wait=20');
    await untilHeld(bar, 1);
    await Promise.all([leave(await bar.openSession(other), 'hidden'), post(owner, 'hidden', 'x')]);
    const answer = await late;
    assert.ok(answer.status === 404 || answer.body.messages.length === 1, answer.text);

    const banned = [
      other.call('GET', '/rooms/the-bar/messages?wait=20'),
      other.call('GET', '/inbox?wait=20'),
    ];
    await untilHeld(bar, 2);
    await bar.order('ban', other);
    // The wait in a room that goes on without the banned one ends at the next look.
    bar.advance(2_000);
    for (const one of banned) assertSaysNo(await one, [403, 'forbidden']);
  });

  test('a message whose notice is lost ends a wait within 2 s [BAR-192]', async () => {
    await using bar = await openBarHouse(engine);
    const [author, reader] = await bar.enterAll(2, 'trusted');
    assert.ok(author && reader);
    await join('the-bar', author, reader);
    const held = [read(reader, 'the-bar', '?wait=20'), inbox(reader, '?wait=20')];
    await untilHeld(bar, 2);
    await postUnheard(bar, author, 'the-bar', 'psst');
    bar.advance(2_000);
    for (const { messages } of await Promise.all(held)) assert.equal(messages[0].body, 'psst');
  });
});

if (engines.includes('postgres')) {
  test('a message through one process ends a wait at another, and its notice may be lost [BAR-192]', async () => {
    await using one = await openBarHouse('postgres');
    await using two = await openBarHouse('postgres', { beside: one.house });
    const [author, reader, stranger] = await one.enterAll(3, 'trusted');
    assert.ok(author && reader && stranger);
    await join('the-bar', author, reader);
    const there = two.visit(reader);
    const both = (since: number) => [
      read(there, 'the-bar', `?since=${since}&wait=20`),
      inbox(there, `?since=${since}&wait=20`),
    ];
    const held = both(0);
    await untilHeld(two, 2);
    const message = await post(author, 'the-bar', 'across');
    for (const { messages } of await Promise.all(held)) assert.deepEqual(messages, [message]);

    const deaf = both(message.id);
    await untilHeld(two, 2);
    await postUnheard(one, author, 'the-bar', 'unheard');
    one.advance(2_000);
    for (const { messages } of await Promise.all(deaf)) assert.equal(messages[0].body, 'unheard');

    // A DM makes a room that the waiter was not yet in.
    const since = (await read(author, 'the-bar', '?limit=200')).next_since;
    const waiting = inbox(there, `?since=${since}&wait=20`);
    await untilHeld(two, 1);
    await dm(stranger, reader, 'who are you');
    assert.equal((await waiting).messages[0].body, 'who are you');
  });

  test('the processes of a house share an agent’s two places and the cap of all [BAR-186] [BAR-188]', async () => {
    await using one = await openBarHouse('postgres', places(3));
    await using two = await openBarHouse('postgres', { ...places(3), beside: one.house });
    const [agent, other] = await one.enterAll(2, 'trusted');
    assert.ok(agent && other);
    const held = [
      abandonable(one, agent, '/inbox?wait=20'),
      abandonable(two, agent, '/inbox?wait=20'),
    ];
    await untilHeld(one, 1);
    await untilHeld(two, 1);
    for (const asked of [agent, two.visit(agent)]) {
      assert.equal((await inbox(asked, '?wait=20')).wait_granted, 0);
    }
    const last = abandonable(two, other, '/inbox?wait=20');
    await untilHeld(two, 2);
    for (const asked of [other, two.visit(other)]) {
      assert.equal((await inbox(asked, '?wait=20')).wait_granted, 0);
    }
    for (const gone of [...held, last]) await gone.leave();
    for (const asked of [other, two.visit(agent)]) {
      await eventually(async () => assert.equal((await inbox(asked, '?wait=1')).wait_granted, 1));
    }
  });

  test('whoever follows next_since through one process sees all that is posted through two [BAR-190]', async () => {
    await using one = await openBarHouse('postgres');
    await using two = await openBarHouse('postgres', { beside: one.house });
    const authors = await one.enterAll(4, 'trusted');
    await join('the-bar', ...authors);
    const each = 40;
    const follow = async (bar: BarHouse, reader: Patron) => {
      const seen: number[] = [];
      let since = 0;
      while (seen.length < authors.length * each) {
        const page = await read(bar.visit(reader), 'the-bar', `?since=${since}&wait=20`);
        seen.push(...ids(page.messages));
        since = page.next_since;
        one.advance(500);
      }
      return seen;
    };
    const [first, second] = [await one.enter('first', 'trusted'), await one.enter('second')];
    const following = Promise.all([follow(one, first), follow(two, second)]);
    const posted = await Promise.all(
      authors.map(async (author, at) => {
        const own: number[] = [];
        const place = at % 2 ? author : two.visit(author);
        for (let index = 0; index < each; index += 1) {
          own.push((await post(place, 'the-bar', `${index}`)).id);
        }
        return own;
      }),
    );
    const expected = posted.flat().sort((a, b) => a - b);
    for (const seen of await following) assert.deepEqual(seen, expected);
  });
}
