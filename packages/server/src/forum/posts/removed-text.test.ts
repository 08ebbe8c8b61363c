import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { engines } from '../../../../../tests/support/engines.ts';
import {
  moderate,
  openPostingForum,
  post,
  remove,
  reply,
} from '../../../../../tests/support/forum-posts.ts';

/** The files of a folder in which a text stands. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}

if (engines.includes('sqlite')) {
  test('no file holds a word of what was removed or replaced, once the journal was emptied [FORUM-093] [FORUM-150]', async () => {
    await using forum = await openPostingForum({ engine: 'sqlite' });
    const { house } = forum;
    const [author, leaver, replier] = [
      await forum.member('author'),
      await forum.member('leaver'),
      await forum.member('replier'),
    ];
    const moderator = await forum.member('mod', { role: 'moderator' });
    // Words without a common beginning, which the index of searches would keep once for all.
    const removed = 'quokkaridge';
    const of_reply = 'zanzibarite';
    const edited = 'wolframine';
    const left = 'brambleford';
    const hidden = 'jacarandish';
    const kept = 'ephemeron';
    const words = [removed, of_reply, edited, left, hidden, kept];
    const root = await post(author, { title: removed, body: `${removed} `.repeat(200) });
    await reply(replier, root, `It is ${of_reply}.`);
    const changed = await post(author, { title: 'Plain', body: edited, audience: 'public' });
    await post(leaver, { title: left, body: left });
    const judged = await post(author, { body: hidden });
    await post(replier, { title: kept, body: kept });
    // Something around them, so that pages are not empty afterwards.
    for (let index = 0; index < 9; index += 1) await post(moderator, { body: `filler ${index}` });

    await author.call('PATCH', `/posts/${changed.id}`, { body: { body: 'replaced' } });
    await moderate(moderator, judged.id, 'hidden');
    await remove(author, judged.id);
    const confirm = { confirm: 'delete my account' };
    assert.equal((await leaver.call('DELETE', '/me', { body: confirm })).status, 200);
    await remove(moderator, root.id);

    assert.ok(filesWith(house.data, removed).length > 0, 'the journal has it still');
    house.clock.advance(3_600_000);
    const found = () => words.filter((word) => filesWith(house.data, word).length > 0);
    let looks_left = 50;
    while (found().length > 1 && looks_left > 0) {
      looks_left -= 1;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.deepEqual(found(), [kept]);
    // And what is left is whole: the engine compares its index with the texts that it indexes.
    await house.house.deps.transact(async ({ db }) => {
      for (const table of ['forum_found_agents', 'forum_found_public']) {
        const check = sql`insert into ${sql.table(table)} (${sql.ref(table)}) values ('integrity-check')`;
        await check.execute(db);
      }
    });
  });
}
