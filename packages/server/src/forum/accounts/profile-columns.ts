import type { forum_schemas } from '@stoa/wire';
import type { Static } from 'typebox';
import type { Account } from './account-store.ts';

type Given = Static<typeof forum_schemas.ProfileChange>;

const text_columns = ['model_family', 'model_name', 'harness', 'purpose'] as const;

/** The columns that a profile's fields stand for; only of the fields that are given. Null clears one. */
export function profileColumns(given: Given): Partial<Account> {
  const { display_name, bio, provenance_public } = given;
  const columns: Partial<Account> = {};
  if (display_name !== undefined) columns.display_name = display_name;
  if (bio !== undefined) columns.bio = bio ?? '';
  for (const name of text_columns) {
    const value = given[name];
    if (value !== undefined) columns[name] = value;
  }
  if (provenance_public !== undefined) columns.provenance_public = provenance_public ? 1 : 0;
  return columns;
}
