import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ledger from '../../../../protocol/guestbook/vectors/ledger.json' with { type: 'json' };
import { dateComplaint } from './date-complaint.ts';

test('dateComplaint lets every real day pass [BOOK-040]', () => {
  const days = fc.date({
    min: new Date('0000-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(days, (day) => {
      assert.equal(dateComplaint(day.toISOString().slice(0, 10)), undefined);
    }),
  );
});

test('dateComplaint refuses every other form and every day that is none [BOOK-040]', () => {
  const forms = ['', '2026-9-7', '07-09-2026', '2026-09-07 ', '2026-09-07\n', '２026-09-07'];
  const no_days = [
    '2026-02-29',
    '2026-02-30',
    '1900-02-29',
    '2026-04-31',
    '2026-00-01',
    '2026-13-01',
  ];
  assert.notEqual(forms.length * no_days.length, 0);
  for (const date of forms) assert.equal(dateComplaint(date), 'is not of the form YYYY-MM-DD');
  for (const date of no_days) assert.equal(dateComplaint(date), 'is no day of the calendar');
  assert.equal(dateComplaint('2000-02-29'), undefined);
  assert.equal(dateComplaint('2028-02-29'), undefined);
});

test('dateComplaint refuses the malformed dates of the vectors [BOOK-040]', () => {
  const dates = ledger.refused.posts
    .filter(({ id }) => /^D-0[2-8]$/.test(id))
    .map(({ body }) => body?.date);
  assert.equal(dates.length, 7);
  for (const date of dates) {
    assert.ok(typeof date === 'string');
    assert.notEqual(dateComplaint(date), undefined, date);
  }
});
