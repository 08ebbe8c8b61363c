import type { JsonValue } from '@stoa/proof';
import { policy_text_bytes_max } from '../limits.ts';
import type { PolicyContent } from './publish-policy.ts';

const name_form = /^[\x20-\x7e]{1,100}$/;

/** What is wrong with a value of a policy: it must be the same text in every language that prints it. */
function valueComplaint(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    return 'has a number that is not whole';
  if (typeof value === 'string' && !value.isWellFormed()) return 'has a lone surrogate in a text';
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.map(valueComplaint).find(Boolean);
  const wrong = Object.keys(value).find((name) => !name_form.test(name));
  if (wrong !== undefined) return 'has a name that is not ASCII';
  return Object.values(value).map(valueComplaint).find(Boolean);
}

/**
 * Reads the text of a policy that the owner wants to publish: a JSON object with `title` and `rules`. Its `version`
 * and `effective_at` are left out, for the house sets both. Answers what is wrong with it otherwise.
 */
export function readPolicyText(text: string): { content: PolicyContent } | { wrong: string } {
  if (Buffer.byteLength(text) > policy_text_bytes_max) {
    return { wrong: `is longer than ${policy_text_bytes_max} bytes` };
  }
  let policy: unknown;
  try {
    policy = JSON.parse(text);
  } catch {
    return { wrong: 'is not JSON' };
  }
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy)) {
    return { wrong: 'is not a JSON object' };
  }
  const { version: _, effective_at: __, ...content } = policy as Record<string, JsonValue>;
  const { title, rules } = content;
  if (typeof title !== 'string' || title.trim() === '') return { wrong: 'has no title' };
  const are_rules =
    Array.isArray(rules) && rules.length > 0 && rules.every((rule) => typeof rule === 'string');
  if (!are_rules) return { wrong: 'has no rules, which are a list of texts' };
  const wrong = valueComplaint(content);
  return wrong === undefined ? { content } : { wrong };
}
