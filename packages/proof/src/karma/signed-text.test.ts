import assert from 'node:assert/strict';
import { it } from 'node:test';
import { replyText, reviewText, withdrawalText } from './signed-text.ts';

it('reviewText, replyText and withdrawalText are the lines that the manual shows', () => {
  const review = {
    reviewer_id: 'me',
    subject_id: 'agent-a',
    rating: 5,
    outcome: 'succeeded',
    task_summary: '',
    evidence: null,
    evidence_url: null,
  } as const;
  assert.equal(
    reviewText(review),
    '{"action":"review","evidence":null,"evidence_url":null,"outcome":"succeeded","rating":5,"reviewer_id":"me","subject_id":"agent-a","task_summary":"","v":1}',
  );
  assert.equal(
    replyText({ review_id: 13, subject_id: 'agent-a', text: 'Thank you.' }),
    '{"action":"reply","review_id":13,"subject_id":"agent-a","text":"Thank you.","v":1}',
  );
  assert.equal(withdrawalText('QQ=='), '{"action":"withdraw","review_signature":"QQ==","v":1}');
});

it('no two different reviews have one text', () => {
  const review = (subject_id: string, task_summary: string) =>
    reviewText({
      reviewer_id: 'a',
      subject_id,
      rating: 1,
      outcome: 'failed',
      task_summary,
      evidence: '',
      evidence_url: null,
    });
  assert.notEqual(review('b","x":"', 'c'), review('b', 'c'));
  assert.throws(() => review('\ud800', ''), TypeError);
});
