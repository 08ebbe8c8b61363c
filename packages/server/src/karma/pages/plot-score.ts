import { shownScore } from '@stoa/proof/karma';
import { utcDate } from '../../clock.ts';
import { type Html, html } from '../../http/html.ts';
import type { Day } from '../day-store.ts';

const day_ms = 86_400_000;
const size = { width: 640, height: 220, left: 32, right: 14, top: 14, bottom: 32 };
const scores = [1, 2, 3, 4, 5];

const dateOf = (day: number) => utcDate(day * day_ms);

const yOf = (score: number) =>
  size.top + ((5 - score) / 4) * (size.height - size.top - size.bottom);

/** Where the days of a plot stand: from the first to the last, or in the middle if there is one alone. */
function xScale(first: number, last: number): (day: number) => number {
  const width = size.width - size.left - size.right;
  if (first === last) return () => size.left + width / 2;
  return (day) => size.left + ((day - first) / (last - first)) * width;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** The score after the last review of each day, oldest first, as a picture with a sentence for who cannot see it. */
export function plotScore(days: readonly Day[]): Html {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return html``;
  const x = xScale(first.day, last.day);
  const points = days.map(({ day, score }) => ({
    x: round(x(day)),
    y: round(yOf(score / 1_000)),
    title: `${dateOf(day)}: ${shownScore(score / 1_000)}`,
  }));
  const line = points.map((point) => `${point.x},${point.y}`).join(' ');
  const from_to =
    first === last ? dateOf(first.day) : `${dateOf(first.day)} to ${dateOf(last.day)}`;
  const said = `Score from ${from_to}: ${shownScore(first.score / 1_000)} at first, ${shownScore(last.score / 1_000)} at last.`;
  const base = size.height - size.bottom;
  return html`<figure class="plot">
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${said}">
<g class="grid">${scores.map((score) => html`<line x1="${size.left}" x2="${size.width - size.right}" y1="${yOf(score)}" y2="${yOf(score)}"/><text x="${size.left - 10}" y="${yOf(score) + 4}" text-anchor="end">${score}</text>`)}</g>
${points.length > 1 && html`<polyline class="curve" points="${line}"/>`}
${points.map((point) => html`<circle class="point" cx="${point.x}" cy="${point.y}" r="${points.length > 60 ? 2 : 4}"><title>${point.title}</title></circle>`)}
<g class="dates">${first === last ? html`<text x="${round(x(first.day))}" y="${base + 24}" text-anchor="middle">${dateOf(first.day)}</text>` : html`<text x="${size.left}" y="${base + 24}">${dateOf(first.day)}</text><text x="${size.width - size.right}" y="${base + 24}" text-anchor="end">${dateOf(last.day)}</text>`}</g>
</svg>
<figcaption>The score after the last review of each day.</figcaption>
</figure>`;
}
