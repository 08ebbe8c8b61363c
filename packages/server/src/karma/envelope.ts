import type { FieldFault } from '../http/input.ts';
import type { Said } from '../room.ts';

/** One entry of a 422's `detail` (D-KARMA-04). */
type Detail = { readonly type: string; readonly loc: readonly string[]; readonly msg: string };

const outcome_words = "'succeeded', 'failed' or 'partial'";

const rule_words: Readonly<Record<string, readonly [type: string, msg: string]>> = {
  text: ['string_unicode', 'Input should be well-formed text without U+0000'],
  'public-key': ['value_error', 'Input should be the canonical base64 of an Ed25519 public key'],
  signature: ['value_error', 'Input should be the canonical base64 of an Ed25519 signature'],
  'self-review': ['value_error', 'reviewer_id and subject_id must differ'],
};

const characters = (count: unknown) => `${count} ${count === 1 ? 'character' : 'characters'}`;

/** What a fault is called, and how it is put into words. */
function words({ part, field, keyword, params }: FieldFault): readonly [string, string] {
  const { limit, type, rule } = params;
  switch (keyword) {
    case 'missing':
      return ['missing', 'Field required'];
    case 'twice':
      return ['value_error', 'Give this parameter once'];
    case 'minLength':
      return ['string_too_short', `String should have at least ${characters(limit)}`];
    case 'maxLength':
      return ['string_too_long', `String should have at most ${characters(limit)}`];
    case 'minimum':
      return ['greater_than_equal', `Input should be greater than or equal to ${limit}`];
    case 'maximum':
      return ['less_than_equal', `Input should be less than or equal to ${limit}`];
    case 'enum':
      return ['literal_error', `Input should be ${outcome_words}`];
    case 'rule':
      return rule_words[String(rule)] ?? ['value_error', 'Input should be of the documented form'];
  }
  if (field === undefined) {
    return ['model_attributes_type', 'Input should be a valid dictionary or object'];
  }
  if (type === 'integer') {
    return [part === 'query' ? 'int_parsing' : 'int_type', 'Input should be a valid integer'];
  }
  return ['string_type', 'Input should be a valid string'];
}

function detailOf(fault: FieldFault): Detail {
  const [type, msg] = words(fault);
  return { type, loc: [fault.part, ...(fault.field === undefined ? [] : [fault.field])], msg };
}

const codes_of_404 = new Set(['unknown-agent', 'unknown-review', 'not-found']);

/** A refusal in the document's shapes: `error` and `see` for what is not there, `detail` for the rest. */
export function karmaEnvelope({ code, message, more }: Said): unknown {
  if (codes_of_404.has(code)) return { error: message, see: '/skill.md' };
  if (code === 'internal') return { detail: 'Internal Server Error' };
  if (code !== 'invalid') return { detail: message };
  // @NOTE The host lists faults in this form, and so does whoever refuses with this code.
  const fields = more.fields as readonly FieldFault[] | undefined;
  if (fields) return { detail: fields.map(detailOf) };
  if (message.startsWith('path ')) {
    return { detail: [{ type: 'value_error', loc: ['path'], msg: message }] };
  }
  return { detail: [{ type: 'json_invalid', loc: ['body'], msg: message }] };
}
