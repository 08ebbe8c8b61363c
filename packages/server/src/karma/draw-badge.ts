import { shownScore, type Verdict, verdictOf } from '@stoa/proof/karma';
import type { Answer, karma_routes } from '@stoa/wire';
import type { Call } from '../http/call.ts';
import { type Html, html } from '../http/html.ts';
import type { Karma } from './karma.ts';
import { readStanding, type Standing } from './standing.ts';

type Route = typeof karma_routes.drawBadge;

const colors: Readonly<Record<Verdict, string>> = {
  trusted: '#1f8a4c',
  mixed: '#c9820a',
  'low confidence': '#c9820a',
  avoid: '#d5453f',
  unknown: '#8a877d',
};

const left_width = 53;
const right_padding = 20;
const character_width = 6.6;

/** The verdict in the words of a badge; no text that a caller chose is in it. */
function badgeText(standing: Pick<Standing, 'score' | 'review_count'>): string {
  const verdict = verdictOf(standing);
  if (verdict === 'unknown') return 'unrated';
  const word = verdict === 'low confidence' ? 'provisional' : verdict;
  return `${shownScore(standing.score)}/5 · ${word}`;
}

/** The badge of a standing as SVG (D-KARMA-25); it holds no ids, so that a page may have many of it. */
export function badge(standing: Pick<Standing, 'score' | 'review_count'>): Html {
  const text = badgeText(standing);
  const color = colors[verdictOf(standing)];
  const right_width = Math.round(character_width * text.length + right_padding);
  const width = left_width + right_width;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" viewBox="0 0 ${width} 20" role="img" aria-label="karma: ${text}"><path d="M3 0H${left_width}V20H3A3 3 0 0 1 0 17V3A3 3 0 0 1 3 0Z" fill="#2f3441"/><path d="M${left_width} 0H${width - 3}A3 3 0 0 1 ${width} 3V17A3 3 0 0 1 ${width - 3} 20H${left_width}Z" fill="${color}"/><g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="26.5" y="14">karma</text><text x="${left_width + right_width / 2}" y="14">${text}</text></g></svg>`;
}

/** The verdict on an agent as a picture, for any id (karma §badge). */
export async function drawBadge(karma: Karma, call: Call<Route>): Promise<Answer<Route>> {
  const standing = await readStanding(karma.read, call.params.agent_id);
  return {
    status: 200,
    body: badge(standing).markup,
    headers: { 'content-type': 'image/svg+xml', 'cache-control': 'no-cache, max-age=60' },
  };
}
