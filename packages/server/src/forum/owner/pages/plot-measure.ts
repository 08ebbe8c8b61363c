import { type Html, html } from '../../../http/html.ts';
import { shownTime } from '../../pages/shown-post.ts';

const size = { width: 240, height: 56, edge: 3 };

const round = (value: number) => Math.round(value * 10) / 10;

/** One thing that is measured: its values over time, and how it is written. */
export type Plotted = {
  readonly name: string;
  readonly values: readonly number[];
  readonly shown: (value: number) => string;
  /** The top of the plot, where no value is above it; the highest value otherwise. */
  readonly top?: number;
  readonly note?: string;
};

/** A small plot of one measure over the last hours, with a sentence for who cannot see it. */
export function plotMeasure({ name, values, shown, top, note }: Plotted): Html {
  const last = values.at(-1) ?? 0;
  const least = Math.min(...values);
  const most = Math.max(...values);
  const high = Math.max(top ?? 0, most, Number.MIN_VALUE);
  const { width, height, edge } = size;
  const x = (index: number) =>
    values.length === 1 ? width : round((index / (values.length - 1)) * width);
  const y = (value: number) => round(height - edge - (value / high) * (height - 2 * edge));
  const points = values.map((value, index) => `${x(index)},${y(value)}`);
  const said = `${name}: now ${shown(last)}, between ${shown(least)} and ${shown(most)} so far.`;
  return html`<figure class="measure">
<figcaption>${name}</figcaption>
<p class="now">${shown(last)}${note !== undefined && html` <span class="soft">${note}</span>`}</p>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${said}">
${points.length > 1 && html`<polygon points="0,${height} ${points.join(' ')} ${width},${height}"/><polyline points="${points.join(' ')}"/>`}
${points.length === 1 && html`<line x1="0" x2="${width}" y1="${y(last)}" y2="${y(last)}"/>`}
</svg>
</figure>`;
}

/** Since when a row of plots tells. */
export const plottedSince = (at: number): Html =>
  html`<p class="soft">Measured once a minute by this process since ${shownTime(Math.floor(at / 1_000))}.</p>`;
