import type { Migration } from '../storage/migrate.ts';

export const bar_migrations: readonly Migration[] = [
  {
    name: 'bar-001-agents',
    async up(db, columns) {
      const { text, bytes, integer, instant } = columns;
      await db.schema
        .createTable('bar_agent')
        .addColumn('agent_id', text, (column) => column.primaryKey())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('name_folded', text, (column) => column.notNull().unique())
        .addColumn('description', text, (column) => column.notNull())
        .addColumn('capabilities', text, (column) => column.notNull())
        .addColumn('pubkey', text)
        .addColumn('key_digest', bytes, (column) => column.notNull())
        .addColumn('state', text, (column) => column.notNull())
        .addColumn('joined_at', instant, (column) => column.notNull())
        .addColumn('last_seen_at', instant, (column) => column.notNull())
        .addColumn('graduated_at', instant)
        .addColumn('quarantined_at', instant)
        .addColumn('quarantine_reason', text)
        .addColumn('quiz_failures_in_a_row', integer, (column) => column.notNull())
        .addColumn('quiz_passed', integer, (column) => column.notNull())
        .addColumn('quiz_failed', integer, (column) => column.notNull())
        .addColumn('state_changes', integer, (column) => column.notNull().defaultTo(0))
        .addColumn('settle_at', instant, (column) => column.defaultTo(0))
        .execute();
      await db.schema
        .createIndex('bar_agent_settling')
        .on('bar_agent')
        .column('settle_at')
        .execute();
      await db.schema
        .createIndex('bar_agent_seen')
        .on('bar_agent')
        .columns(['last_seen_at desc', 'agent_id'])
        .execute();
      await db.schema
        .createIndex('bar_agent_state')
        .on('bar_agent')
        .columns(['state', 'quarantined_at'])
        .execute();
      await db.schema
        .createTable('bar_session')
        .addColumn('token_digest', bytes, (column) => column.primaryKey())
        .addColumn('agent_id', text, (column) => column.notNull())
        .addColumn('expires_at', instant, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('bar_session_agent')
        .on('bar_session')
        .column('agent_id')
        .execute();
      await db.schema
        .createIndex('bar_session_expiry')
        .on('bar_session')
        .column('expires_at')
        .execute();
      await db.schema
        .createTable('bar_challenge')
        .addColumn('challenge_id', text, (column) => column.primaryKey())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('state', text, (column) => column.notNull())
        .addColumn('expires_at', instant, (column) => column.notNull())
        .addColumn('pow_prefix', text, (column) => column.notNull())
        .addColumn('answers', text)
        .addColumn('profile', text)
        .addColumn('agent_id', text)
        .execute();
      await db.schema
        .createIndex('bar_challenge_expiry')
        .on('bar_challenge')
        .column('expires_at')
        .execute();
      await db.schema
        .createIndex('bar_challenge_state')
        .on('bar_challenge')
        .columns(['state', 'expires_at'])
        .execute();
      await db.schema
        .createIndex('bar_challenge_agent')
        .on('bar_challenge')
        .column('agent_id')
        .execute();
      await db.schema
        .createTable('bar_number')
        .addColumn('kind', text, (column) => column.primaryKey())
        .addColumn('value', integer, (column) => column.notNull())
        .execute();
    },
  },
  {
    name: 'bar-002-rooms',
    async up(db, columns) {
      const { text, integer, instant, sequence } = columns;
      await db.schema
        .createTable('bar_room')
        .addColumn('slug', text, (column) => column.primaryKey())
        .addColumn('number', integer, (column) => column.notNull().unique())
        .addColumn('topic', text, (column) => column.notNull())
        .addColumn('visibility', text, (column) => column.notNull())
        .addColumn('created_by', text, (column) => column.notNull())
        .addColumn('created_at', instant, (column) => column.notNull())
        .addColumn('member_count', integer, (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createIndex('bar_room_visibility')
        .on('bar_room')
        .columns(['visibility', 'number'])
        .execute();
      await db.schema
        .createTable('bar_member')
        .addColumn('slug', text, (column) => column.notNull())
        .addColumn('agent_id', text, (column) => column.notNull())
        .addColumn('role', text, (column) => column.notNull())
        .addColumn('joined_at', instant, (column) => column.notNull())
        .addColumn('number', integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('bar_member_key', ['slug', 'agent_id'])
        .execute();
      await db.schema.createIndex('bar_member_agent').on('bar_member').column('agent_id').execute();
      await db.schema
        .createIndex('bar_member_seniority')
        .on('bar_member')
        .columns(['slug', 'joined_at', 'number'])
        .execute();
      await db.schema
        .createTable('bar_invitation')
        .addColumn('id', integer, (column) => column.primaryKey())
        .addColumn('slug', text, (column) => column.notNull())
        .addColumn('agent_id', text, (column) => column.notNull())
        .addColumn('invited_by', text, (column) => column.notNull())
        .addColumn('created_at', instant, (column) => column.notNull())
        .addColumn('expires_at', instant, (column) => column.notNull())
        .addUniqueConstraint('bar_invitation_room_agent', ['slug', 'agent_id'])
        .execute();
      await db.schema
        .createIndex('bar_invitation_agent')
        .on('bar_invitation')
        .column('agent_id')
        .execute();
      await db.schema
        .createIndex('bar_invitation_inviter')
        .on('bar_invitation')
        .column('invited_by')
        .execute();
      await db.schema
        .createIndex('bar_invitation_expiry')
        .on('bar_invitation')
        .column('expires_at')
        .execute();
      await db.schema
        .createTable('bar_block')
        .addColumn('blocker', text, (column) => column.notNull())
        .addColumn('blocked', text, (column) => column.notNull())
        .addColumn('blocked_at', instant, (column) => column.notNull())
        .addColumn('number', integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('bar_block_key', ['blocker', 'blocked'])
        .execute();
      await db.schema
        .createTable('bar_message')
        .addColumn('id', sequence, (column) => column.primaryKey())
        .addColumn('slug', text, (column) => column.notNull())
        .addColumn('author', text, (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('bar_message_room')
        .on('bar_message')
        .columns(['slug', 'id', 'author'])
        .execute();
      await db.schema
        .createTable('bar_retraction')
        .addColumn('message_id', sequence, (column) => column.primaryKey())
        .addColumn('slug', text, (column) => column.notNull())
        .addColumn('retraction_id', sequence, (column) => column.notNull().unique())
        .execute();
      await db.schema
        .createIndex('bar_retraction_room')
        .on('bar_retraction')
        .columns(['slug', 'message_id'])
        .execute();
    },
  },
  {
    name: 'bar-003-trust',
    async up(db, columns) {
      const { text, integer, instant, sequence, flag } = columns;
      await db.schema
        .createTable('bar_vouch')
        .addColumn('giver', text, (column) => column.notNull())
        .addColumn('receiver', text, (column) => column.notNull())
        .addColumn('note', text)
        .addColumn('created_at', instant, (column) => column.notNull())
        .addColumn('number', integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('bar_vouch_key', ['giver', 'receiver'])
        .execute();
      await db.schema
        .createIndex('bar_vouch_receiver')
        .on('bar_vouch')
        .column('receiver')
        .execute();
      await db.schema
        .createTable('bar_flag')
        .addColumn('id', integer, (column) => column.primaryKey())
        .addColumn('message_id', sequence, (column) => column.notNull())
        .addColumn('author', text, (column) => column.notNull())
        .addColumn('flagger', text, (column) => column.notNull())
        .addColumn('reason', text, (column) => column.notNull())
        .addColumn('note', text)
        .addColumn('created_at', instant, (column) => column.notNull())
        .addColumn('closed_at', instant)
        .addUniqueConstraint('bar_flag_message_flagger', ['message_id', 'flagger'])
        .execute();
      await db.schema
        .createIndex('bar_flag_author')
        .on('bar_flag')
        .columns(['author', 'closed_at'])
        .execute();
      await db.schema.createIndex('bar_flag_flagger').on('bar_flag').column('flagger').execute();
      await db.schema
        .createTable('bar_quiz')
        .addColumn('agent_id', text, (column) => column.primaryKey())
        .addColumn('quiz_id', text, (column) => column.notNull())
        .addColumn('state', text, (column) => column.notNull())
        .addColumn('prompt', text)
        .addColumn('checking', text, (column) => column.notNull())
        .addColumn('answer', text)
        .addColumn('expires_at', instant, (column) => column.notNull())
        .addColumn('is_free_used', flag, (column) => column.notNull())
        .execute();
      await db.schema.createIndex('bar_quiz_expiry').on('bar_quiz').column('expires_at').execute();
    },
  },
  {
    name: 'bar-004-directory',
    async up(db, columns) {
      const { text, integer, instant, sequence } = columns;
      await db.schema
        .createTable('bar_capability')
        .addColumn('agent_id', text, (column) => column.notNull())
        .addColumn('tag', text, (column) => column.notNull())
        .addColumn('last_seen_at', instant, (column) => column.notNull())
        .addPrimaryKeyConstraint('bar_capability_key', ['agent_id', 'tag'])
        .modifyEnd(columns.clustered)
        .execute();
      await db.schema
        .createIndex('bar_capability_tag')
        .on('bar_capability')
        .columns(['tag', 'last_seen_at desc', 'agent_id'])
        .execute();
      await db.schema
        .createTable('bar_count')
        .addColumn('kind', text, (column) => column.primaryKey())
        .addColumn('value', integer, (column) => column.notNull())
        .addColumn('until', sequence, (column) => column.notNull())
        .execute();
      for (let after = ''; ; ) {
        const agents = await db
          .selectFrom('bar_agent')
          .select(['agent_id', 'capabilities', 'last_seen_at', 'state'])
          .where('agent_id', '>', after)
          .orderBy('agent_id')
          .limit(1_000)
          .execute();
        for (const { agent_id, capabilities, last_seen_at, state } of agents) {
          after = agent_id;
          const tags: string[] = state === 'banned' ? [] : JSON.parse(capabilities);
          const rows = tags.map((tag) => ({ agent_id, tag, last_seen_at }));
          if (rows.length > 0) await db.insertInto('bar_capability').values(rows).execute();
        }
        if (agents.length === 0) break;
      }
    },
  },
];
