import type { QuarantineReason, TrustState } from '../../tables.ts';

/** An agent as the rules of trust see it. */
export type OracleAgent = {
  state: TrustState;
  readonly joined_at: number;
  graduated_at: number | null;
  reason: QuarantineReason | null;
  failures_in_a_row: number;
  passed: number;
  failed: number;
  /** When its open quiz ends. */
  quiz_ends_at: number | null;
};

type Vouch = { giver: number; receiver: number; at: number };
type Flag = { flagger: number; author: number; is_open: boolean };

/** What a request is answered, as far as trust decides it. */
type Outcome = number;

const second_ms = 1_000;
const day_ms = 86_400 * second_ms;

/**
 * The rules of trust and quizzes as they are written (D-BAR-56 to 71), with nothing kept that could be
 * stale: everything is counted anew from the whole history whenever it is asked for.
 */
export class TrustOracle {
  now: number;
  readonly agents: OracleAgent[];
  readonly #vouches: Vouch[] = [];
  readonly #flags: Flag[] = [];

  constructor(now: number, agents: readonly OracleAgent[]) {
    this.now = now;
    this.agents = agents.map((agent) => ({ ...agent }));
  }

  agent(who: number): OracleAgent {
    const agent = this.agents[who];
    if (!agent) throw new RangeError(`there is no agent ${who}`);
    return agent;
  }

  #counts(giver: number): boolean {
    const { state, graduated_at } = this.agent(giver);
    if (state === 'trusted') return true;
    return state === 'member' && graduated_at !== null && this.now - graduated_at >= 7 * day_ms;
  }

  countedVouches(who: number): number {
    return this.#vouches.filter(({ giver, receiver }) => receiver === who && this.#counts(giver))
      .length;
  }

  countingFlaggers(who: number): number {
    const open = this.#flags.filter(({ author, is_open }) => author === who && is_open);
    return new Set(open.map(({ flagger }) => flagger).filter((giver) => this.#counts(giver))).size;
  }

  openFlags(who: number): number {
    return this.#flags.filter(({ author, is_open }) => author === who && is_open).length;
  }

  settle(who: number): OracleAgent {
    const agent = this.agent(who);
    if (agent.state !== 'probation' && agent.state !== 'member') return agent;
    if (agent.quiz_ends_at !== null && this.now >= agent.quiz_ends_at) {
      agent.quiz_ends_at = null;
      agent.failed += 1;
      agent.failures_in_a_row += 1;
    }
    const flaggers = this.countingFlaggers(who);
    if (agent.failures_in_a_row >= 3) this.#quarantine(agent, 'quiz_failures');
    else if (flaggers >= 3) this.#quarantine(agent, 'flags');
    else if (agent.state === 'probation') {
      const is_old = this.now - agent.joined_at >= 3 * day_ms && flaggers === 0;
      if (is_old || this.countedVouches(who) >= 2) {
        agent.state = 'member';
        agent.graduated_at = this.now;
      }
    }
    return agent;
  }

  #quarantine(agent: OracleAgent, reason: QuarantineReason): void {
    agent.state = 'quarantined';
    agent.reason = reason;
    agent.quiz_ends_at = null;
  }

  #closeFlags(who: number): void {
    for (const flag of this.#flags) if (flag.author === who) flag.is_open = false;
  }

  vouch(who: number, whom: number): Outcome {
    this.settle(who);
    const { state } = this.agent(who);
    if (state !== 'member' && state !== 'trusted') return 403;
    if (who === whom) return 400;
    const receiver = this.settle(whom);
    if (receiver.state === 'quarantined' || receiver.state === 'banned') return 409;
    const given = this.#vouches.filter(({ giver }) => giver === who);
    if (given.some(({ receiver }) => receiver === whom)) return 409;
    if (given.filter(({ at }) => this.now - at < day_ms).length >= 5) return 429;
    this.#vouches.push({ giver: who, receiver: whom, at: this.now });
    this.settle(whom);
    return 200;
  }

  flag(who: number, author: number): Outcome {
    this.settle(who);
    const { state } = this.agent(who);
    if (state !== 'member' && state !== 'trusted') return 403;
    if (who === author) return 400;
    this.#flags.push({ flagger: who, author, is_open: true });
    this.settle(author);
    return 200;
  }

  release(who: number, whom: number): Outcome {
    if (this.settle(who).state !== 'trusted') return 403;
    if (this.settle(whom).state !== 'quarantined') return 409;
    this.order('release', whom);
    return 200;
  }

  order(verb: string, who: number): void {
    const agent = this.settle(who);
    const { state } = agent;
    if (verb === 'trust' && state !== 'trusted') {
      this.#move(agent, 'trusted');
      agent.graduated_at ??= this.now;
      agent.failures_in_a_row = 0;
    }
    if (verb === 'untrust' && state === 'trusted') this.#move(agent, 'member');
    if (verb === 'ban') this.#move(agent, 'banned');
    if (verb === 'unban' && state === 'banned') {
      this.#move(agent, agent.graduated_at === null ? 'probation' : 'member');
      this.#closeFlags(who);
      agent.failures_in_a_row = 0;
    }
    if (verb === 'quarantine' && state !== 'quarantined' && state !== 'banned') {
      this.#quarantine(agent, 'operator');
    }
    if (verb === 'release' && state === 'quarantined') {
      this.#move(agent, 'member');
      agent.graduated_at ??= this.now;
      this.#closeFlags(who);
      agent.failures_in_a_row = 0;
    }
    if (verb === 'clear-flags') this.#closeFlags(who);
    this.settle(who);
  }

  #move(agent: OracleAgent, state: TrustState): void {
    agent.state = state;
    agent.reason = null;
    agent.quiz_ends_at = null;
  }

  /** A write that is quizzed if `falls` of 100 is below the chance, and answers as `says` tells. */
  write(who: number, says: string, falls: number): Outcome {
    const agent = this.settle(who);
    if (agent.state === 'banned' || agent.state === 'quarantined') return 403;
    if (agent.state === 'trusted') return 200;
    const pose = () => {
      agent.quiz_ends_at = this.now + 45 * second_ms;
      return 428;
    };
    if (says === 'nothing') {
      if (agent.quiz_ends_at !== null) return 428;
      const percent = agent.state === 'member' ? 3 : 25;
      return agent.failures_in_a_row > 0 || falls < percent ? pose() : 200;
    }
    if (says === 'right' && agent.quiz_ends_at !== null) {
      agent.quiz_ends_at = null;
      agent.passed += 1;
      agent.failures_in_a_row = 0;
      this.settle(who);
      return 200;
    }
    agent.failed += 1;
    agent.failures_in_a_row += 1;
    this.settle(who);
    // @NOTE Settling has changed what the check above ruled out.
    return (agent.state as TrustState) === 'quarantined' ? 403 : pose();
  }

  /** Takes over what a house says of an agent, where the order of settling decides. */
  adopt(who: number, agent: OracleAgent): void {
    this.agents[who] = { ...agent };
  }
}
