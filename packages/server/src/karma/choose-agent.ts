import { shownPercent, shownScore, verdictOf } from '@stoa/proof/karma';
import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { shownId, trimId } from './agent-id.ts';
import type { Karma } from './karma.ts';
import { candidates_max } from './limits.ts';
import { byRank, readStandings, type Standing, signalsOf } from './standing.ts';

type Route = typeof karma_routes.chooseAgent;

/** The ids of a list with commas: trimmed, each once, in the order of their first appearance. */
function candidateIds(candidates: string): string[] {
  const ids = candidates.split(',').map(trimId);
  return [...new Set(ids.filter((id) => id !== ''))];
}

/** Why the choice is as it is, in a sentence (D-KARMA-23). */
function reasoning(
  chosen: Standing | undefined,
  avoided: readonly Standing[],
  candidates_count: number,
): string {
  if (avoided.length === candidates_count) {
    return 'every candidate has a poor track record - do not delegate this task.';
  }
  const names = avoided.map(({ agent_id }) => `${agent_id} (avoid)`).join(', ');
  const excluded = names === '' ? '.' : `; excluded ${names}.`;
  if (!chosen) {
    return `no candidate has any reviews yet - gather references before delegating${excluded}`;
  }
  const { agent_id, score, confidence, review_count } = chosen;
  const reviews = `${review_count} ${review_count === 1 ? 'review' : 'reviews'}`;
  return `${agent_id} has the strongest weighted reputation (${shownScore(score)}/5, ${shownPercent(confidence)}% confidence, ${reviews})${excluded}`;
}

/** Which of several agents to delegate to (karma §choose). */
export async function chooseAgent(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const ids = candidateIds(call.query.candidates);
  if (ids.length === 0) throw call.refuse('no-candidates');
  if (ids.length > candidates_max) throw call.refuse('too-many-candidates');

  const ranking = (await readStandings(karma.read, ids)).sort(byRank);
  const avoided = ranking.filter((standing) => verdictOf(standing) === 'avoid');
  const chosen = ranking.find(
    (standing) => standing.review_count > 0 && !avoided.includes(standing),
  );
  return {
    status: 200,
    body: {
      chosen: chosen?.agent_id ?? null,
      reasoning: reasoning(chosen, avoided, ranking.length),
      ranking: ranking.map((standing) => ({
        agent_id: shownId(standing.agent_id),
        known: standing.is_known,
        score: standing.score,
        confidence: standing.confidence,
        review_count: standing.review_count,
        recommendation: standing.recommendation,
        signals: signalsOf(karma, standing),
      })),
    },
  };
}
