import assert from 'node:assert/strict';
import { findAccount } from '../../packages/server/src/forum/accounts/account-store.ts';
import {
  openWithPassphrase,
  openWithToken,
} from '../../packages/server/src/forum/notes/data-key.ts';
import { noteBoxes } from '../../packages/server/src/forum/notes/note-box.ts';
import { system_random } from '../../packages/server/src/random.ts';
import { digestSecret, passphraseKey } from '../../packages/server/src/secrets.ts';
import { openPlace, type Place } from './ledger.ts';

/** What an account may have after its server was killed: of each of these exactly one. */
export type MayHave = {
  readonly id: number;
  /** The token before; another may be there that nobody was told of yet. */
  readonly token: string;
  readonly may_have_other_token: boolean;
  /** Undefined stands for none. */
  readonly passphrases: readonly (string | undefined)[];
  readonly notes: Readonly<Record<string, readonly (string | undefined)[]>>;
};

/**
 * Looks into the database that a killed server left: whichever secret is live opens the data key, one does, and it
 * opens every note. Answers the passphrase that is set.
 */
export async function checkSecrets(place: Place, may_have: MayHave): Promise<string | undefined> {
  const storage = openPlace(place);
  try {
    const { id, token, passphrases, notes } = may_have;
    const account = await findAccount(storage.read, id);
    assert.ok(account?.token_digest && account.token_salt && account.token_wrap, 'a token is live');
    const is_old = account.token_digest.equals(digestSecret(token));
    assert.ok(is_old || may_have.may_have_other_token, 'no other token than was asked for');

    const keys: { passphrase: string; data_key: Buffer }[] = [];
    const { passphrase_salt } = account;
    for (const passphrase of passphrases) {
      if (passphrase === undefined || !passphrase_salt) continue;
      const key = await passphraseKey(passphrase, passphrase_salt);
      const data_key = openWithPassphrase(account, key);
      if (data_key) keys.push({ passphrase, data_key });
    }
    if (account.passphrase_wrap) assert.equal(keys.length, 1, 'one passphrase opens the account');
    else assert.ok(passphrases.includes(undefined), 'a passphrase is set');
    const [by_passphrase] = keys;
    const data_key = is_old ? openWithToken(account, token) : by_passphrase?.data_key;
    if (by_passphrase) assert.deepEqual(by_passphrase.data_key, data_key, 'both open one key');

    const rows = await storage.read
      .selectFrom('forum_note')
      .selectAll()
      .where('account_id', '=', id)
      .execute();
    assert.equal(rows.length, account.note_count);
    assert.equal(
      rows.reduce((sum, { bytes }) => sum + bytes, 0),
      account.used_notes_bytes,
    );
    if (data_key) {
      const boxes = noteBoxes(system_random, id, data_key);
      // @NOTE The rows are those of the table, whose handle takes any.
      const opened = new Map(
        rows.map((row) => [boxes.openHead(row as never).name, boxes.openText(row as never)]),
      );
      for (const [name, texts] of Object.entries(notes)) {
        assert.ok(
          texts.includes(opened.get(name)),
          `the note ${name} is as it was or as it is to be`,
        );
      }
    }
    return by_passphrase?.passphrase;
  } finally {
    await storage.close();
  }
}
