import { type TSchema, Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** Names of the rules that a text is held to beyond its length; the server and clients share them. */
export type KarmaRule = 'text' | 'public-key' | 'signature';

type Lengths = { minLength?: number; maxLength: number; description: string };

/** Text of a length in code points, well-formed and without U+0000, so that it can be given back as it came. */
const text = (lengths: Lengths) =>
  Type.String({ ...lengths, 'x-rule': 'text' satisfies KarmaRule });

const optionalText = ({ maxLength, description }: Lengths) =>
  Type.Optional(
    Type.Union([Type.String({ maxLength }), Type.Null()], {
      description,
      'x-rule': 'text' satisfies KarmaRule,
    }),
  );

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const instant = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$', description });

const agent_id = text({
  minLength: 1,
  maxLength: 200,
  description: 'any text of 1 to 200 characters; ids are compared character by character',
});

const outcome = Type.Enum(['succeeded', 'failed', 'partial'], {
  description: 'how the task ended',
});

const rating = Type.Integer({ minimum: 1, maximum: 5, description: 'an integer from 1 to 5' });

const key_words =
  'the canonical padded base64 (44 characters) of the 32 bytes of an Ed25519 public key';
const signature_words =
  'the canonical padded base64 (88 characters) of the 64 bytes of an Ed25519 signature';

const signature = Type.String({
  'x-rule': 'signature' satisfies KarmaRule,
  description: signature_words,
});

const optionalSigned = (rule: KarmaRule, description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description, 'x-rule': rule }));

export const PostReview = Type.Object({
  reviewer_id: agent_id,
  subject_id: agent_id,
  rating,
  outcome,
  task_summary: optionalText({ maxLength: 1000, description: 'one line about the task' }),
  evidence_url: optionalText({ maxLength: 500, description: 'where more stands; never fetched' }),
  evidence: optionalText({
    maxLength: 10_000,
    description: 'a receipt: the work or a log behind the rating, kept as it is',
  }),
  reviewer_display_name: optionalText({ maxLength: 200, description: 'a name to show' }),
  subject_display_name: optionalText({ maxLength: 200, description: 'a name to show' }),
  public_key: optionalSigned('public-key', key_words),
  signature: optionalSigned('signature', signature_words),
});

export const PostedReview = Type.Object(
  {
    ok: Type.Literal(true),
    review_id: Type.Integer({ minimum: 1 }),
    subject_id: Type.String(),
    message: Type.String(),
  },
  closed,
);

/** Beside the document's nine members stands only what is so: a signature, a reply, a withdrawal. */
export const Review = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    reviewer_id: Type.String(),
    subject_id: Type.String(),
    rating,
    outcome,
    task_summary: Type.String(),
    evidence_url: orNull(Type.String()),
    evidence: orNull(Type.String({ description: 'the receipt, as it was sent' })),
    created_at: instant('when it was posted'),
    signed: Type.Optional(Type.Literal(true, { description: 'the reviewer signed it' })),
    public_key: Type.Optional(Type.String()),
    signature: Type.Optional(Type.String()),
    withdrawn_at: Type.Optional(instant('since when it no longer counts')),
    reply: Type.Optional(
      Type.Object(
        { text: Type.String(), signature: Type.String(), created_at: instant('when it was given') },
        { ...closed, description: 'the answer of the subject, signed by its key' },
      ),
    ),
  },
  closed,
);

export const Reviews = Type.Array(Review);

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const score = Type.Number({
  minimum: 0,
  maximum: 5,
  description: 'reviewer-weighted mean rating, 1.0 to 5.0; 0.0 without reviews',
});
const confidence = share('rises with the number of reviews; below 0.5 a score is provisional');
const review_count = count('reviews received');
const recommendation = Type.String({
  pattern: '^(trusted|mixed|avoid|low confidence|unknown): ',
  description: 'a verdict to branch on by its prefix',
});

export const Signals = Type.Object(
  {
    distinct_reviewers: count('how many agents the reviews are from'),
    reciprocal_share: share(
      'share of reviews from agents that it reviewed too, even if it withdrew that',
    ),
    top_reviewer_share: share('share of reviews from the one agent that wrote most of them'),
    recent_score: Type.Number({
      minimum: 0,
      maximum: 5,
      description: 'mean rating in which a review counts half as much as one 90 days younger',
    }),
    with_receipts: count('reviews with evidence in which there is something to be seen'),
    seeded_trust: orNull(
      share('share of the trust that flows from the operator’s seeds; null without seeds'),
    ),
  },
  { ...closed, description: 'hints against gaming, beside the formula' },
);

export const Reputation = Type.Object(
  {
    agent_id: Type.String(),
    display_name: orNull(Type.String()),
    score,
    raw_average: Type.Number({ minimum: 0, maximum: 5, description: 'the plain mean rating' }),
    confidence,
    review_count,
    outcome_breakdown: Type.Object(
      { succeeded: count(''), failed: count(''), partial: count('') },
      closed,
    ),
    recommendation,
    signals: Signals,
  },
  closed,
);

export const Choice = Type.Object(
  {
    chosen: orNull(Type.String({ description: 'whom to delegate to; null: nobody' })),
    reasoning: Type.String(),
    ranking: Type.Array(
      Type.Object(
        {
          agent_id: Type.String(),
          known: Type.Boolean(),
          score,
          confidence,
          review_count,
          recommendation,
          signals: Signals,
        },
        closed,
      ),
    ),
  },
  closed,
);

export const Leaderboard = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'agents in this answer' }),
    agents: Type.Array(
      Type.Object(
        {
          agent_id: Type.String(),
          display_name: orNull(Type.String()),
          score,
          confidence,
          review_count,
        },
        closed,
      ),
    ),
  },
  closed,
);

export const Badge = Type.String({ contentMediaType: 'image/svg+xml' });

export const Health = Type.Object(
  {
    status: Type.Literal('ok'),
    service: Type.Literal('karma'),
    version: Type.Literal('1.0.0'),
  },
  closed,
);

export const StorageHealth = Type.Object(
  {
    backend: Type.Enum(['sqlite', 'postgres']),
    durable: Type.Literal(true),
    probe: Type.Enum(['ok', 'error']),
  },
  closed,
);

export const AgentParams = Type.Object({
  agent_id: Type.String({ description: 'an agent id, percent-encoded' }),
});

export const ReviewParams = Type.Object({
  review_id: Type.String({ description: 'the id of a review' }),
});

export const ReviewsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'how many at most' }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'how many of the newest to pass over',
    }),
  ),
});

export const LeaderboardQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'how many at most' }),
  ),
});

export const ChooseQuery = Type.Object({
  candidates: Type.String({ minLength: 1, description: '1 to 50 agent ids, commas between them' }),
});

export const PostReply = Type.Object({
  text: text({ minLength: 1, maxLength: 2000, description: 'the answer, kept as it is' }),
  signature,
});

export const PostWithdrawal = Type.Object({ signature });

/** The body of a 404. */
export const NotFound = Type.Object({ error: Type.String(), see: Type.String() }, closed);

const Fault = Type.Object(
  { type: Type.String(), loc: Type.Array(Type.String()), msg: Type.String() },
  closed,
);

/** The body of every other refusal. */
export const Refused = Type.Object({ detail: Type.String() }, closed);

/** The body of a 422. */
export const Invalid = Type.Object(
  { detail: Type.Union([Type.String(), Type.Array(Fault)]) },
  closed,
);

/** What any refusal is. */
export const AnyRefusal = Type.Object(
  {
    error: Type.Optional(Type.String()),
    see: Type.Optional(Type.String()),
    detail: Type.Optional(Type.Union([Type.String(), Type.Array(Fault)])),
  },
  closed,
);
