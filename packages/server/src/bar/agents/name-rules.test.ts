import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { foldName, isReservedName, nameComplaint, shownName } from './name-rules.ts';

/** Characters whose case, width or composition is odd, among all others. */
const odd = fc.constantFrom(
  ...'sßẞſkK\u212aiİıI\u0307ʼnŉσςΣάΆὰᾳ\u0301\u0308ΐﬁﬀÅ\u212bÅΩ\u2126Ｂｂｱ㎏²①  \u3000\u2003',
);
const character = fc.oneof(odd, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
const name = fc.array(character, { maxLength: 16 }).map((characters) => characters.join(''));
/** U+0345 becomes a letter in capitals and stays a mark in small letters: what follows it then differs. */
const orphan_mark = '\u0345';
const unseen = fc.constantFrom('\u200b', '\u200d', '\u2060', '\ufe0f', '\u00ad', '\u{e0100}');

describe('foldName', () => {
  it('makes one of names that differ in case, width, composition, spaces and what is not seen [BAR-035]', () => {
    const alike: [string, string][] = [
      ['Bob', 'bob'],
      ['\u212aelvin', 'kelvin'],
      ['Straße', 'STRASSE'],
      ['STRA\u1e9eE', 'straße'],
      ['\uff22ob', 'bob'],
      ['Σας', 'ΣΑΣ'],
      ['\u0131an', 'ian'],
      ['a\u200db', 'ab'],
      ['a\u00a0b', 'a b'],
      ['a \u3000 b', 'A B'],
      ['e\u0301', 'É'],
      ['ﬁne', 'FINE'],
    ];
    for (const [one, other] of alike)
      assert.equal(foldName(one), foldName(other), `${one} ${other}`);
    const unlike: [string, string][] = [
      ['\u0130an', 'ian'],
      ['\u0412ob', 'bob'],
      ['a b', 'ab'],
      ['e', 'é'],
      ['bob', 'bob2'],
    ];
    for (const [one, other] of unlike) {
      assert.notEqual(foldName(one), foldName(other), `${one} ${other}`);
    }
  });

  it('leaves what is folded as it is [BAR-035]', () => {
    const holds = (text: string) => assert.equal(foldName(foldName(text)), foldName(text));
    fc.assert(fc.property(name, holds), { numRuns: 5_000 });
  });

  it('does not see the case of any name, and makes the same of every form of Unicode [BAR-035]', () => {
    const holds = (text: string) => {
      fc.pre(!text.normalize('NFKD').includes(orphan_mark));
      const folded = foldName(text);
      assert.equal(foldName(shownName(text)), folded);
      for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
        assert.equal(foldName(text.normalize(form)), folded);
      }
      const seen = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFC');
      assert.equal(foldName(seen.toUpperCase()), folded);
      assert.equal(foldName(seen.toLowerCase()), folded);
    };
    fc.assert(fc.property(name, holds), { numRuns: 5_000 });
  });

  it('does not see what cannot be seen, wherever it stands [BAR-035]', () => {
    const holds = (text: string, hidden: string) =>
      assert.equal(foldName([...text].join(hidden)), foldName(text));
    fc.assert(fc.property(name, unseen, holds), { numRuns: 2_000 });
  });
});

describe('nameComplaint', () => {
  it('takes a name exactly if it is stored in 1 to 64 characters that are fit to be seen [BAR-032] [BAR-033]', () => {
    const holds = (text: string) => {
      const shown = shownName(text);
      const length = [...shown].length;
      const is_fit =
        text.isWellFormed() &&
        length <= 64 &&
        foldName(shown) !== '' &&
        !/[\p{Cc}\p{Bidi_C}\u2028\u2029]/u.test(shown);
      assert.equal(nameComplaint(text) === undefined, is_fit);
    };
    const any = fc.oneof(name, fc.string({ unit: 'binary', minLength: 60, maxLength: 70 }));
    fc.assert(fc.property(any, holds), { numRuns: 2_000 });
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', '\ud83d', '\ude00') }), holds));
  });
});

describe('isReservedName', () => {
  it("keeps the bar's own name and the form of ids, and nothing near them [BAR-034]", () => {
    const id = 'ag_0123456789abcdef';
    for (const text of ['system', 'SYSTEM', 'ＳＹＳＴＥＭ', 'sys\u200dtem', id, id.toUpperCase()]) {
      assert.ok(isReservedName(foldName(text)), text);
    }
    for (const text of ['systems', 'the system', `${id}0`, id.slice(0, -1), 'ag_x', '']) {
      assert.ok(!isReservedName(foldName(text)), text);
    }
  });
});
