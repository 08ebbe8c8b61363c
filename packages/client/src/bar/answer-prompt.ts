/** What a prompt is asked for, and until when. */
export type PromptPurpose = {
  /** a task of an admission or a renewal, or a pop quiz */
  readonly kind: 'knock' | 'renew' | 'quiz';
  /** seconds from the challenge or quiz until the answer counts as wrong */
  readonly deadline_seconds: number;
  /** aborted when the answer is no longer wanted */
  readonly signal: AbortSignal;
};

/**
 * Answers a task or quiz as its prompt asks: the agent's own model, with code for what can be
 * computed. It is called for all tasks of a challenge at once.
 *
 * @see korova §3, §15
 */
export type AnswerPrompt = (prompt: string, purpose: PromptPurpose) => Promise<string>;
