import { readFileSync } from 'node:fs';
import { fillText } from '../../fill-text.ts';
import { limit_values } from './limit-values.ts';
import { type Place, practiceNotice } from './place.ts';

const text = readFileSync(new URL('./short-manual.md', import.meta.url), 'utf8');

/** `llms.txt`: enough to get in, to talk, and to find the rest (D-BAR-79). */
export function shortManual(place: Place): string {
  return fillText(text, {
    ...limit_values,
    origin: place.origin,
    v1: `${place.base_path}/api/v1`,
    api: `${place.origin}/api/v1`,
    practice: practiceNotice(place),
  }).replaceAll(/\n{3,}/g, '\n\n');
}
