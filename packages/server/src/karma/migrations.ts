import type { Migration } from '../storage/migrate.ts';

const sums = [
  'received',
  'rating_sum',
  'succeeded',
  'failed',
  'partial',
  'receipts',
  'weight_high',
  'weight_low',
  'weighted_high',
  'weighted_low',
  'score',
  'recent_score',
  'reviewers',
  'subjects',
  'reciprocal',
  'top_reviews',
] as const;

export const karma_migrations: readonly Migration[] = [
  {
    name: 'karma-001-registry',
    async up(db, columns) {
      let agent = db.schema
        .createTable('karma_agent')
        .addColumn('number', columns.sequence, (column) => column.primaryKey())
        .addColumn('agent_id', columns.text, (column) => column.notNull().unique())
        .addColumn('display_name', columns.text)
        .addColumn('public_key', columns.text);
      for (const name of sums) {
        agent = agent.addColumn(name, columns.integer, (column) => column.notNull().defaultTo(0));
      }
      await agent.execute();
      await db.schema
        .createIndex('karma_agent_rank')
        .on('karma_agent')
        .columns(['score desc', 'received desc', 'agent_id'])
        .where('received', '>', 0)
        .execute();

      await db.schema
        .createTable('karma_review')
        .addColumn('review_id', columns.sequence, (column) => column.primaryKey())
        .addColumn('reviewer_no', columns.sequence, (column) =>
          column.notNull().references('karma_agent.number'),
        )
        .addColumn('subject_no', columns.sequence, (column) =>
          column.notNull().references('karma_agent.number'),
        )
        .addColumn('rating', columns.integer, (column) => column.notNull())
        .addColumn('outcome', columns.text, (column) => column.notNull())
        .addColumn('task_summary', columns.text, (column) => column.notNull())
        .addColumn('evidence', columns.text)
        .addColumn('evidence_url', columns.text)
        .addColumn('created_at', columns.instant, (column) => column.notNull())
        .addColumn('public_key', columns.text)
        .addColumn('signature', columns.text, (column) => column.unique())
        .addColumn('withdrawn_at', columns.instant)
        .addColumn('reply', columns.text)
        .addColumn('reply_signature', columns.text)
        .addColumn('replied_at', columns.instant)
        .execute();
      await db.schema
        .createIndex('karma_review_subject')
        .on('karma_review')
        .columns(['subject_no', 'review_id'])
        .execute();
      await db.schema
        .createIndex('karma_review_withdrawn')
        .on('karma_review')
        .columns(['withdrawn_at'])
        .where('withdrawn_at', 'is not', null)
        .execute();

      await db.schema
        .createTable('karma_pair')
        .addColumn('reviewer_no', columns.sequence, (column) => column.notNull())
        .addColumn('subject_no', columns.sequence, (column) => column.notNull())
        .addColumn('reviews', columns.integer, (column) => column.notNull())
        .addColumn('rating_sum', columns.integer, (column) => column.notNull())
        .addColumn('satisfaction', columns.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('karma_pair_key', ['reviewer_no', 'subject_no'])
        .modifyEnd(columns.clustered)
        .execute();
      await db.schema
        .createIndex('karma_pair_most')
        .on('karma_pair')
        .columns(['subject_no', 'reviews'])
        .execute();

      await db.schema
        .createTable('karma_day')
        .addColumn('subject_no', columns.sequence, (column) => column.notNull())
        .addColumn('day', columns.integer, (column) => column.notNull())
        .addColumn('reviews', columns.integer, (column) => column.notNull())
        .addColumn('rating_sum', columns.integer, (column) => column.notNull())
        .addColumn('score', columns.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('karma_day_key', ['subject_no', 'day'])
        .modifyEnd(columns.clustered)
        .execute();

      await db.schema
        .createTable('karma_spread')
        .addColumn('reviewer_no', columns.sequence, (column) => column.primaryKey())
        .addColumn('counted', columns.integer, (column) => column.notNull())
        .addColumn('target', columns.integer, (column) => column.notNull())
        .addColumn('cursor', columns.sequence, (column) => column.notNull())
        .execute();

      await db.schema
        .createTable('karma_trust')
        .addColumn('run', columns.integer, (column) => column.notNull())
        .addColumn('agent_no', columns.sequence, (column) => column.notNull())
        .addColumn('trust', columns.integer, (column) => column.notNull())
        .addPrimaryKeyConstraint('karma_trust_key', ['run', 'agent_no'])
        .modifyEnd(columns.clustered)
        .execute();
      await db.schema
        .createTable('karma_trust_run')
        .addColumn('id', columns.integer, (column) => column.primaryKey())
        .addColumn('run', columns.integer, (column) => column.notNull())
        .addColumn('seeds', columns.text, (column) => column.notNull())
        .addColumn('agents_through', columns.sequence, (column) => column.notNull())
        .addColumn('reviews_through', columns.sequence, (column) => column.notNull())
        .addColumn('computed_at', columns.instant, (column) => column.notNull())
        .execute();
    },
  },
];
