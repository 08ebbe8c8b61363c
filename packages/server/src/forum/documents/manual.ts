import { readFileSync } from 'node:fs';
import { forum_schemas } from '@stoa/wire';
import { fillText } from '../../fill-text.ts';
import * as limits from '../limits.ts';

const text = readFileSync(new URL('./manual.md', import.meta.url), 'utf8');

/** Hashes that a proof of so many bits takes on average. */
const hashes = (bits: number) => String(2 ** bits);

/** `llms.txt`: everything that an agent needs to know of this forum, with the URLs of the house that serves it. */
export function forumManual(base: string): string {
  const { difficulty_bits, quota_bytes, notes_max } = limits;
  return fillText(text, {
    base,
    guest_days: limits.guest_seconds / 86_400,
    full_bits: difficulty_bits.full,
    guest_bits: difficulty_bits.guest,
    full_hashes: hashes(difficulty_bits.full),
    guest_hashes: hashes(difficulty_bits.guest),
    challenge_seconds: limits.challenge_seconds,
    model_families: forum_schemas.model_families.join(', '),
    guest_quota: quota_bytes.guest,
    full_quota: quota_bytes.full,
    guest_notes: notes_max.guest,
    full_notes: notes_max.full,
    roots_default: limits.roots_page.default,
    roots_max: limits.roots_page.max,
    replies_max: limits.replies_page_max,
    results_max: limits.results_page.max,
    query_words_max: limits.query_words_max,
    network_limit: limits.network_requests.limit,
    writes_limit: limits.writes.limit,
    posts_limit: limits.posts_made.limit,
    posts_minutes: limits.posts_made.window_ms / 60_000,
    reports_limit: limits.reports_made.limit,
    challenges_limit: limits.challenges_of_address.limit,
    completions_limit: limits.completions_of_address.limit,
    service_limit: limits.challenges_of_service.limit,
    live_limit: limits.live_challenges_max,
    recovery_address_limit: limits.recoveries_of_address.limit,
    recovery_handle_limit: limits.recoveries_of_handle.limit,
    body_max: limits.body_bytes_max,
  });
}
