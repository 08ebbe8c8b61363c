import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines, forEachEngine } from '../../support/engines.ts';
import { joinForum, type Member } from '../../support/forum-accounts.ts';
import { openForumHouse } from '../../support/forum-api.ts';
import { addNotes } from '../../support/forum-notes.ts';
import type { TestHouse } from '../../support/open-house.ts';

type Found = { name: string; snippet: string; tags: string[] };

const namesOf = (items: readonly Found[]) => items.map(({ name }) => name);

forEachEngine((engine) => {
  describe('searching notes', () => {
    let house: TestHouse;
    let member: Member;
    const search = async (q: string, more = ''): Promise<Found[]> => {
      const { status, text, body } = await member.call(
        'GET',
        `/notes?q=${encodeURIComponent(q)}${more}`,
      );
      assert.equal(status, 200, text);
      assert.equal(body.next_after, null);
      return body.items;
    };
    const put = async (name: string, text: string, tags: string[] = []) => {
      house.clock.advance(1_000);
      const { status } = await member.call('PUT', `/notes/${name}`, { body: { text, tags } });
      assert.ok(status < 300);
    };
    before(async () => {
      house = await openForumHouse({ engine });
      member = await joinForum(house, 'searcher');
    });
    after(() => house.close());

    it('every word must occur, in name, tags or text, newest change first, and each find has a snippet [FORUM-188]', async () => {
      const long = `${'so much before it '.repeat(40)}the Lighthouse keeper${' and after'.repeat(40)}`;
      await put('one/harbour', 'A lamp and a keeper.', ['night']);
      await put('two', long);
      await put('three', 'keeper of a lamp', ['Harbour']);
      await put('four', 'keepers of lamps');
      assert.deepEqual(namesOf(await search('KEEPER')), ['three', 'two', 'one/harbour']);
      assert.deepEqual(namesOf(await search('keeper harbour')), ['three', 'one/harbour']);
      assert.deepEqual(namesOf(await search('harbour night lamp')), ['one/harbour']);
      assert.deepEqual(await search('keeper unheard'), []);
      assert.deepEqual(namesOf(await search('keep')), []);
      assert.deepEqual(namesOf(await search('keeper', '&prefix=t&tag=Harbour')), ['three']);

      const [found] = await search('lighthouse');
      assert.ok(found && [...found.snippet].length <= 200, found?.snippet);
      assert.match(found.snippet, /Lighthouse keeper/);
      assert.equal((await search('night'))[0]?.snippet, 'A lamp and a keeper.');

      await put('one/harbour', 'Nothing of it is left.');
      assert.deepEqual(namesOf(await search('lamp')), ['three']);
      assert.deepEqual(namesOf(await search('harbour')), ['one/harbour', 'three']);
      const { body } = await member.call('GET', '/notes?q=harbour&limit=1');
      assert.deepEqual(
        [namesOf(body.items), body.total, body.next_after],
        [['one/harbour'], 2, null],
      );
      await member.call('DELETE', '/notes/three');
      assert.deepEqual(await search('lamp'), []);
    });

    it('words are found as they are written, whatever they look like [FORUM-189]', async () => {
      house.clock.advance(60_000);
      const texts = {
        dont: "Better don't.",
        agents: 'A multi-agent house',
        name: 'ask @nova_agent, please',
        quoted: 'the word "memory" in quotes',
        logic: 'this AND that',
        star: 'mem* is no wildcard',
        east: '東京 は大きい',
        crab: 'a crab 🦀 and C++',
        accent: 'cafe\u0301 noir',
      };
      for (const [name, text] of Object.entries(texts)) await put(`w/${name}`, text);
      const found = async (q: string) => namesOf(await search(q, '&prefix=w/')).toSorted();
      assert.deepEqual(await found("don't"), ['w/dont']);
      assert.deepEqual(await found('don'), ['w/dont']);
      assert.deepEqual(await found('multi-agent'), ['w/agents']);
      assert.deepEqual(await found('agent-multi'), []);
      assert.deepEqual(await found('@nova_agent'), ['w/name']);
      assert.deepEqual(await found('@name'), ['w/name']);
      assert.deepEqual(await found('"memory'), ['w/quoted']);
      assert.deepEqual(await found('memory"'), ['w/quoted']);
      assert.deepEqual(await found('AND'), ['w/crab', 'w/logic']);
      assert.deepEqual(await found('mem*'), ['w/star']);
      assert.deepEqual(await found('NEAR(a b)'), []);
      assert.deepEqual(await found('is - no'), ['w/star']);
      assert.deepEqual(await found('東京'), ['w/east']);
      assert.deepEqual(await found('caf\u00e9'), ['w/accent']);
      assert.deepEqual(await found('cafe'), []);
      assert.deepEqual(await found('c++'), ['w/crab']);
    });
  });
});

if (engines.includes('sqlite')) {
  describe('many notes', () => {
    it('thousands are listed and searched as few are, and another is answered meanwhile [FORUM-186] [FORUM-188] [FORUM-192]', async () => {
      await using house = await openForumHouse({ engine: 'sqlite' });
      const member = await joinForum(house, 'collector');
      const notes = Array.from({ length: 5_000 }, (_, index) => ({
        name: `n/${String(index).padStart(4, '0')}`,
        text: index % 1_000 === 7 ? `the needle of ${index}` : `only hay, bale ${index}`,
        tags: index % 2 === 0 ? ['even'] : [],
      }));
      await addNotes(house.house.deps, member, notes);
      let after = '&after=n/4599';
      for (const first of ['n/4600', 'n/4800']) {
        const { body } = await member.call('GET', `/notes?limit=200${after}`);
        assert.deepEqual([body.total, body.items.length, body.items[0].name], [5_000, 200, first]);
        after = `&after=${body.next_after}`;
      }
      assert.equal(after, '&after=null');
      const needles = await member.call('GET', '/notes?q=needle');
      assert.equal(needles.body.total, 5);
      const [hay, me] = await Promise.all([
        member.call('GET', '/notes?q=hay&tag=even&limit=3'),
        member.call('GET', '/me'),
      ]);
      assert.deepEqual([hay.body.items.length, hay.body.total, me.status], [3, 2_500, 200]);
      const exported = await member.call('GET', '/me/export');
      assert.equal(exported.body.notes.length, 5_000);
      assert.equal(exported.body.notes[7].text, 'the needle of 7');
    });
  });
}
