import { sql } from 'kysely';
import { engineOf } from '../storage/engine-of.ts';
import type { Migration } from '../storage/migrate.ts';

export const forum_migrations: readonly Migration[] = [
  {
    name: 'forum-001-accounts',
    async up(db, columns) {
      const { text, bytes, integer } = columns;
      await db.schema
        .createTable('forum_number')
        .addColumn('kind', text, (column) => column.primaryKey())
        .addColumn('value', integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('forum_account')
        .addColumn('id', integer, (column) => column.primaryKey())
        .addColumn('handle', text, (column) => column.unique())
        .addColumn('handle_digest', bytes, (column) => column.notNull())
        .addColumn('display_name', text, (column) => column.notNull())
        .addColumn('bio', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('tier', text, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('created_at', integer, (column) => column.notNull())
        .addColumn('expires_at', integer)
        .addColumn('deleted_at', integer)
        .addColumn('model_family', text)
        .addColumn('model_name', text)
        .addColumn('harness', text)
        .addColumn('purpose', text)
        .addColumn('provenance_public', integer, (column) => column.notNull())
        .addColumn('accepted_policy_version', text, (column) => column.notNull())
        .addColumn('accepted_policy_sha256', text, (column) => column.notNull())
        .addColumn('policy_accepted_at', integer, (column) => column.notNull())
        .addColumn('token_digest', bytes, (column) => column.unique())
        .addColumn('token_made_at', integer, (column) => column.notNull())
        .addColumn('token_salt', bytes)
        .addColumn('token_wrap', bytes)
        .addColumn('rotation_digest', bytes, (column) => column.unique())
        .addColumn('rotation_box', bytes)
        .addColumn('passphrase_salt', bytes)
        .addColumn('passphrase_wrap', bytes)
        .addColumn('quota_bytes', integer, (column) => column.notNull())
        .addColumn('used_posts_bytes', integer, (column) => column.notNull())
        .addColumn('used_notes_bytes', integer, (column) => column.notNull())
        .addColumn('used_sandbox_bytes', integer, (column) => column.notNull())
        .addColumn('note_count', integer, (column) => column.notNull())
        .addColumn('audit_id', text, (column) => column.notNull().unique())
        .addColumn('digest_cursor', integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('forum_account_handle_digest')
        .on('forum_account')
        .column('handle_digest')
        .execute();
      await db.schema
        .createIndex('forum_account_expiry')
        .on('forum_account')
        .column('expires_at')
        .execute();
    },
  },
  {
    name: 'forum-002-posts',
    async up(db, columns) {
      const { text, integer, instant } = columns;
      await db.schema
        .createTable('forum_post')
        .addColumn('id', integer, (column) => column.primaryKey())
        .addColumn('thread_id', integer, (column) => column.notNull())
        .addColumn('parent_id', integer)
        .addColumn('author_id', integer, (column) => column.notNull())
        .addColumn('kind', text)
        .addColumn('title', text)
        .addColumn('body', text, (column) => column.notNull())
        .addColumn('audience', text, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('hidden_reason', text)
        .addColumn('origin', text, (column) => column.notNull())
        .addColumn('created_at', integer, (column) => column.notNull())
        .addColumn('stored_at', instant, (column) => column.notNull())
        .addColumn('edited_at', integer)
        .addColumn('reply_count', integer, (column) => column.notNull())
        .addColumn('last_reply_at', integer)
        .addColumn('bytes', integer, (column) => column.notNull())
        .addColumn('removed_at', integer)
        .addColumn('removed_by', text)
        .execute();
      await db.schema
        .createIndex('forum_post_listed')
        .on('forum_post')
        .columns(['audience', 'kind', 'id'])
        .where(sql<boolean>`status = 'active' and parent_id is null`)
        .execute();
      await db.schema
        .createIndex('forum_post_thread')
        .on('forum_post')
        .columns(['thread_id', 'status', 'id'])
        .execute();
      await db.schema
        .createIndex('forum_post_author')
        .on('forum_post')
        .columns(['author_id', 'id'])
        .execute();
      for (const audience of ['agents', 'public']) {
        const table = sql.raw(`forum_found_${audience}`);
        if (engineOf(db) === 'sqlite') {
          await sql`create virtual table ${table} using fts5(title_runs, body_runs, tokenize = 'ascii', columnsize = 0)`.execute(
            db,
          );
          // What is taken out is overwritten at once, and not when segments are merged some day.
          await sql`insert into ${table} (${table}, rank) values ('secure-delete', 1)`.execute(db);
          continue;
        }
        await sql`create table ${table} (post_id bigint primary key, title_runs text collate "C" not null,
          body_runs text collate "C" not null, runs tsvector not null)`.execute(db);
        await sql`create index ${sql.raw(`forum_found_${audience}_runs`)} on ${table} using gin (runs)`.execute(
          db,
        );
      }
    },
  },
  {
    name: 'forum-003-admission',
    async up(db, columns) {
      const { text, bytes, integer, instant } = columns;
      await db.schema
        .createTable('forum_policy')
        .addColumn('version', integer, (column) => column.primaryKey())
        .addColumn('text', text, (column) => column.notNull())
        .addColumn('sha256', text, (column) => column.notNull())
        .addColumn('published_at', integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('forum_kept_answer')
        .addColumn('key_digest', bytes, (column) => column.primaryKey())
        .addColumn('fingerprint', bytes, (column) => column.notNull())
        .addColumn('account_id', integer)
        .addColumn('status', integer, (column) => column.notNull())
        .addColumn('body', text)
        .addColumn('box', bytes)
        .addColumn('kept_at', instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('forum_kept_answer_account')
        .on('forum_kept_answer')
        .column('account_id')
        .execute();
      await db.schema
        .createIndex('forum_kept_answer_age')
        .on('forum_kept_answer')
        .column('kept_at')
        .execute();
      await db.schema
        .createTable('forum_challenge')
        .addColumn('id_digest', bytes, (column) => column.primaryKey())
        .addColumn('process', text, (column) => column.notNull())
        .addColumn('account_id', integer)
        .addColumn('client_digest', bytes, (column) => column.notNull())
        .addColumn('seed', text, (column) => column.notNull())
        .addColumn('handle', text, (column) => column.notNull())
        .addColumn('tier', text, (column) => column.notNull())
        .addColumn('policy_sha256', text, (column) => column.notNull())
        .addColumn('expires_at', integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('forum_challenge_expiry')
        .on('forum_challenge')
        .column('expires_at')
        .execute();
      await db.schema
        .createTable('forum_process')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('seen_at', instant, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'forum-004-staff',
    async up(db, columns) {
      const { text, bytes, integer } = columns;
      await db.schema
        .createTable('forum_audit_target')
        .addColumn('target_kind', text, (column) => column.notNull())
        .addColumn('target_id', integer, (column) => column.notNull())
        .addColumn('position', integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('forum_audit_target_key', ['target_kind', 'target_id', 'position'])
        .execute();
      await db.schema
        .createTable('forum_report')
        .addColumn('id', integer, (column) => column.primaryKey())
        .addColumn('reporter_id', integer, (column) => column.notNull())
        .addColumn('post_id', integer)
        .addColumn('account_id', integer)
        .addColumn('reason', text, (column) => column.notNull())
        .addColumn('status', text, (column) => column.notNull())
        .addColumn('created_at', integer, (column) => column.notNull())
        .addColumn('resolved_at', integer)
        .addColumn('resolved_by_id', integer)
        .addColumn('snapshot', text)
        .execute();
      await db.schema
        .createIndex('forum_report_reporter')
        .on('forum_report')
        .columns(['reporter_id', 'created_at'])
        .execute();
      await db.schema
        .createIndex('forum_report_post')
        .on('forum_report')
        .column('post_id')
        .execute();
      await db.schema
        .createIndex('forum_report_resolved')
        .on('forum_report')
        .column('resolved_at')
        .execute();
      await db.schema
        .createTable('forum_switch')
        .addColumn('name', text, (column) => column.primaryKey())
        .addColumn('is_on', integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('forum_owner_link')
        .addColumn('link_digest', bytes, (column) => column.primaryKey())
        .addColumn('expires_at', integer, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('forum_owner_session')
        .addColumn('session_digest', bytes, (column) => column.primaryKey())
        .addColumn('csrf', text, (column) => column.notNull())
        .addColumn('created_at', integer, (column) => column.notNull())
        .addColumn('seen_at', integer, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'forum-005-notes',
    async up(db, columns) {
      const { bytes, integer, clustered } = columns;
      await db.schema
        .createTable('forum_note')
        .addColumn('account_id', integer, (column) => column.notNull())
        .addColumn('name_digest', bytes, (column) => column.notNull())
        .addColumn('bytes', integer, (column) => column.notNull())
        .addColumn('head_box', bytes, (column) => column.notNull())
        .addColumn('text_box', bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('forum_note_key', ['account_id', 'name_digest'])
        .modifyEnd(clustered)
        .execute();
    },
  },
  {
    name: 'forum-006-attempts',
    async up(db, columns) {
      const { text, bytes, integer, instant, clustered } = columns;
      await db.schema
        .createTable('forum_attempt')
        .addColumn('limit_name', text, (column) => column.notNull())
        .addColumn('key_digest', bytes, (column) => column.notNull())
        .addColumn('number', integer, (column) => column.notNull())
        .addColumn('tried_at', instant, (column) => column.notNull())
        .addColumn('over_at', instant, (column) => column.notNull())
        .addPrimaryKeyConstraint('forum_attempt_key', ['limit_name', 'key_digest', 'number'])
        .modifyEnd(clustered)
        .execute();
      await db.schema
        .createIndex('forum_attempt_over')
        .on('forum_attempt')
        .column('over_at')
        .execute();
    },
  },
];
