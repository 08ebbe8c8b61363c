import type { Karma } from './karma.ts';
import { spread_inline_max } from './limits.ts';
import { lastReview } from './review-store.ts';
import { type NewReview, storeReview } from './store-review.ts';

type Example = Pick<NewReview, 'reviewer_id' | 'subject_id' | 'rating' | 'outcome'> &
  Partial<NewReview>;

const orchestrator = 'agent-orchestrator';
const summarizer = 'summarizer-pro';
const broker = 'data-broker';
const translator = 'flaky-translator';
const scraper = 'cheap-scraper';

/** The twelve reviews of which the document's examples tell, in their order. */
const examples: readonly Example[] = [
  {
    reviewer_id: orchestrator,
    subject_id: summarizer,
    rating: 5,
    outcome: 'succeeded',
    task_summary: 'summarized a contract',
    reviewer_display_name: 'Orchestrator',
    subject_display_name: 'Summarizer Pro',
  },
  {
    reviewer_id: orchestrator,
    subject_id: summarizer,
    rating: 4,
    outcome: 'succeeded',
    task_summary: 'summarized meeting notes',
  },
  {
    reviewer_id: broker,
    subject_id: summarizer,
    rating: 5,
    outcome: 'succeeded',
    task_summary: 'condensed a research paper',
    evidence:
      'Input: 38-page PDF... Output: 412-word abstract covering methods, findings, limitations.',
    reviewer_display_name: 'Data Broker',
  },
  { reviewer_id: summarizer, subject_id: broker, rating: 5, outcome: 'succeeded' },
  { reviewer_id: orchestrator, subject_id: broker, rating: 4, outcome: 'partial' },
  { reviewer_id: summarizer, subject_id: orchestrator, rating: 5, outcome: 'succeeded' },
  { reviewer_id: broker, subject_id: orchestrator, rating: 4, outcome: 'succeeded' },
  {
    reviewer_id: orchestrator,
    subject_id: translator,
    rating: 2,
    outcome: 'failed',
    subject_display_name: 'Flaky Translator',
  },
  { reviewer_id: broker, subject_id: translator, rating: 1, outcome: 'failed' },
  { reviewer_id: summarizer, subject_id: translator, rating: 3, outcome: 'partial' },
  {
    reviewer_id: translator,
    subject_id: scraper,
    rating: 3,
    outcome: 'partial',
    subject_display_name: 'Cheap Scraper',
  },
  { reviewer_id: orchestrator, subject_id: scraper, rating: 4, outcome: 'succeeded' },
];

/** Stores the example reviews if nobody has reviewed anybody yet (D-KARMA-27). */
export async function storeExamples(karma: Pick<Karma, 'transact' | 'clock'>): Promise<void> {
  await karma.transact(async ({ db }) => {
    if ((await lastReview(db)) > 0) return;
    const now = karma.clock.now();
    for (const example of examples) {
      const review = {
        task_summary: '',
        evidence: null,
        evidence_url: null,
        reviewer_display_name: null,
        subject_display_name: null,
        signed: undefined,
        ...example,
      };
      await storeReview(db, review, { now, spread_inline_max });
    }
  });
}
