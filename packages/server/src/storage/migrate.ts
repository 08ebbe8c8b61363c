import { Migrator } from 'kysely/migration';
import { type ColumnVocabulary, columnVocabulary } from './columns.ts';
import type { Db, Engine } from './storage.ts';

/**
 * A numbered, frozen step of the schema. Once released it is never edited and imports nothing of the
 * room, so that it does the same for ever.
 */
export type Migration = {
  /** `<owner>-<nnn>-<what>`, such as `guestbook-001-agents`: unique in the house. */
  readonly name: string;
  up(db: Db, columns: ColumnVocabulary): Promise<void>;
};

/**
 * Applies to `db` those of `migrations` that it has not seen, each in the order of its owner's
 * numbers. Safe to call from several processes at once. Throws what the failing migration threw; the
 * database is then as it was.
 */
export async function migrate(
  db: Db,
  engine: Engine,
  migrations: readonly Migration[],
): Promise<void> {
  const columns = columnVocabulary(engine);
  const steps = Object.fromEntries(
    migrations.map((step) => [step.name, { up: (steps_db: Db) => step.up(steps_db, columns) }]),
  );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => steps },
    migrationTableName: 'stoa_migration',
    migrationLockTableName: 'stoa_migration_lock',
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
