import { isForeignForm } from '../../is-foreign-form.ts';
import { readWholeNumber } from '../../read-whole-number.ts';
import { RefusalError } from '../../refusal.ts';
import type { RawRequest } from '../../room.ts';
import { digestSecret, equalDigests } from '../../secrets.ts';
import { forum_rules } from '../rules.ts';
import type { Session } from './owner-store.ts';

/** The fields of a form, as it was sent. */
export type Form = {
  /** The text of a field; refuses if it is missing or there twice. */
  text(name: string): string;
  /** `true` or `false`. */
  flag(name: string): boolean;
  /** A whole number that is not negative. */
  integer(name: string): number;
  /** Why something is done, for the audit trail. */
  reason(name: string): string;
  /** One of `values`. */
  oneOf<const Value extends string>(name: string, values: readonly Value[]): Value;
};

const reason_length = { min: 3, max: 400 };

const wrong = (name: string, what: string) =>
  new RefusalError('bad_request', { detail: `${name} ${what}` });

/** Reads the body of a request as a form. */
export function readForm({ body }: RawRequest): Form {
  let fields: URLSearchParams;
  try {
    // @NOTE The console's endpoints read their bodies whole.
    fields = new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer));
  } catch {
    throw wrong('the form', 'is not text');
  }
  const text: Form['text'] = (name) => {
    const [value, ...others] = fields.getAll(name);
    if (value === undefined) throw wrong(name, 'is missing');
    if (others.length > 0) throw wrong(name, 'is given twice');
    return value;
  };
  const oneOf: Form['oneOf'] = (name, values) => {
    const given = text(name);
    const value = values.find((one) => one === given);
    if (value === undefined) throw wrong(name, `must be ${values.join(' or ')}`);
    return value;
  };
  return {
    text,
    oneOf,
    reason(name) {
      const given = text(name);
      const { length } = [...given];
      const complaint = forum_rules['required-text'](given as never, 0);
      if (complaint !== undefined) throw wrong(name, complaint);
      if (length < reason_length.min || length > reason_length.max) {
        throw wrong(name, `must have ${reason_length.min} to ${reason_length.max} characters`);
      }
      return given;
    },
    flag: (name) => oneOf(name, ['true', 'false']) === 'true',
    integer(name) {
      const given = text(name);
      const number = readWholeNumber(given);
      if (number === undefined || !Number.isSafeInteger(number)) {
        throw wrong(name, 'must be a whole number');
      }
      return number;
    },
  };
}

const foreign = () =>
  new RefusalError('forbidden', {
    detail: 'This form did not come from your console.',
    hint: 'Open the console again and send its own form; nothing was done.',
  });

/** Refuses a form that another site has sent (D-FORUM-66). */
export function refuseForeign({ headers }: RawRequest): void {
  if (isForeignForm(headers)) throw foreign();
}

/** Refuses a form without the session's own word. */
export function refuseForged(form: Form, { csrf }: Session): void {
  let given = '';
  try {
    given = form.text('csrf');
  } catch {
    throw foreign();
  }
  if (!equalDigests(digestSecret(given), digestSecret(csrf))) throw foreign();
}
