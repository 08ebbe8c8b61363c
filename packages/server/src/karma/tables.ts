/**
 * The karma room's tables. Agents stand under numbers of ours in all but their own table, because ids are
 * up to 800 bytes long.
 */
export type KarmaTables = {
  /** Who appears in a review, with sums over what it has received and that was not withdrawn. */
  karma_agent: {
    number: number;
    agent_id: string;
    display_name: string | null;
    /** Base64, from its first signed review on. */
    public_key: string | null;
    received: number;
    rating_sum: number;
    succeeded: number;
    failed: number;
    partial: number;
    /** Reviews with a receipt. */
    receipts: number;
    /** The weights of the reviews, and ratings times weights, in the units of proof's `weightUnits`. */
    weight_high: number;
    weight_low: number;
    weighted_high: number;
    weighted_low: number;
    /** The score in thousandths; the leaderboard is in its order. */
    score: number;
    recent_score: number;
    /** Agents that reviewed it. */
    reviewers: number;
    /** Agents that it reviewed. */
    subjects: number;
    /** Reviews from agents that it reviewed too, whether or not it withdrew that. */
    reciprocal: number;
    /** Most reviews from one agent. */
    top_reviews: number;
  };
  karma_review: {
    review_id: number;
    reviewer_no: number;
    subject_no: number;
    rating: number;
    outcome: 'succeeded' | 'failed' | 'partial';
    task_summary: string;
    evidence: string | null;
    evidence_url: string | null;
    created_at: number;
    public_key: string | null;
    signature: string | null;
    withdrawn_at: number | null;
    reply: string | null;
    reply_signature: string | null;
    replied_at: number | null;
  };
  /**
   * All that one agent says of another, without what it withdrew. A pair stays when nothing is left of it:
   * that the one reviewed the other is not undone.
   */
  karma_pair: {
    reviewer_no: number;
    subject_no: number;
    reviews: number;
    rating_sum: number;
    /** Good ratings less bad ones. */
    satisfaction: number;
  };
  /** What was received on a UTC day, with the score after the last review of it. */
  karma_day: {
    subject_no: number;
    day: number;
    reviews: number;
    rating_sum: number;
    score: number;
  };
  /**
   * A reviewer whose new weight is on its way to those that it reviewed, in the order of their numbers:
   * up to `cursor` its reviews stand in the sums with the weight of `target` received reviews, after it
   * with that of `counted`. Whoever reads sums makes up for it.
   */
  karma_spread: { reviewer_no: number; counted: number; target: number; cursor: number };
  /** Seeded trust in billionths, without the zeros, by run. */
  karma_trust: { run: number; agent_no: number; trust: number };
  /** The run that counts, with what it knew. */
  karma_trust_run: {
    id: 1;
    run: number;
    seeds: string;
    agents_through: number;
    reviews_through: number;
    computed_at: number;
  };
};

/** What of an agent changes with the weights of its reviewers. */
export type Weighed = Pick<
  KarmaTables['karma_agent'],
  'number' | 'weight_high' | 'weight_low' | 'weighted_high' | 'weighted_low' | 'score'
>;
