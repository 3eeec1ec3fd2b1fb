import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDocument, writeDocument } from '../../../src/stores/markdown/front-matter.ts';
import { awkwardTexts } from '../../../src/testing/awkward-texts.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...awkwardTexts,
    'true',
    'No',
    '~',
    '1e3',
    '0x1F',
    '2026-11-21',
    '-',
    'a: b',
    '- a',
  ),
);
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.boolean(),
  fc.constant(null),
);
const document = fc.record({
  fields: fc.dictionary(fc.stringMatching(/^[a-z][a-z_]{0,20}$/), scalar, {
    noNullPrototype: true,
  }),
  content: text,
});

describe('parseDocument', () => {
  it('reads what writeDocument wrote', () => {
    fc.assert(
      fc.property(document, (given) => {
        expect(parseDocument(writeDocument(given))).toEqual(given);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads the front matter as YAML is read', () => {
    fc.assert(
      fc.property(document, (given) => {
        const yaml = writeDocument({ ...given, content: '' }).split('---\n')[1] ?? '';
        expect(parse(yaml) ?? {}).toEqual(given.fields);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads lone surrogates in fields', () => {
    const given = { fields: { id: 'a\ud800' }, content: '' };
    expect(parseDocument(writeDocument(given))).toEqual(given);
  });

  it.each([
    ["'it''s' # note", "it's"],
    ['"a\\u0041" # note', 'aA'],
    ['plain words # note', 'plain words'],
    ['a#b', 'a#b'],
    ['chat-42:summary:L1:0', 'chat-42:summary:L1:0'],
    ['', null],
    ['# note', null],
    ['~', null],
    ['Null', null],
    ['TRUE', true],
    ['-1.5e3', -1500],
    ['+7', 7],
  ])('takes %s for %j, as YAML does', (written, value) => {
    expect(parseDocument(`---\nname: ${written}\n---\n`).fields).toEqual({ name: value });
    expect(parse(`name: ${written}`)).toEqual({ name: value });
  });

  it.each([
    '[a]',
    '{a: b}',
    '&a b',
    '*a',
    '!!str a',
    '|',
    '> a',
    '"open',
    "'open",
    '"a" b',
    '"\\x41"',
    'a: b',
  ])('refuses %s', (written) => {
    expect(() => parseDocument(`---\nname: ${written}\n---\n`)).toThrow(
      'line 2: expected name: value',
    );
  });

  it('reads no more than a thousand lines, whatever they hold', () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, index) => `a${index}: 1\n`).join('');
    expect(Object.keys(parseDocument(`---\n${lines(999)}---\n`).fields)).toHaveLength(999);
    expect(() => parseDocument(`---\n${lines(40_000)}---\n`)).toThrow('more than 1000 lines');
    expect(() => parseDocument(`---\n${lines(9)}a3: 2\n---\n`)).toThrow('a3 is given twice');
  });
});
