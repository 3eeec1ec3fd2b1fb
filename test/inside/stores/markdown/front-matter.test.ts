import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseDocument, writeDocument } from '../../../../src/stores/markdown/front-matter.ts';
import { awkwardTexts } from '../../../../src/testing/awkward-texts.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...awkwardTexts.filter((awkward) => awkward.length < 5000),
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
  it('reads what writeDocument wrote', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (given) => {
        expect(await parseDocument(writeDocument(given))).toEqual(given);
      }),
      { numRuns: 1000 },
    );
  });

  it('writes front matter that another parser reads alike', () => {
    fc.assert(
      fc.property(document, (given) => {
        const yaml = writeDocument({ ...given, content: '' }).split('---\n')[1] ?? '';
        expect(parse(yaml) ?? {}).toEqual(given.fields);
      }),
      { numRuns: 1000 },
    );
  });

  it('reads lone surrogates in fields', async () => {
    const given = { fields: { id: 'a\ud800' }, content: '' };
    expect(await parseDocument(writeDocument(given))).toEqual(given);
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
    ['[a, b]', ['a', 'b']],
    ['2026-11-21', '2026-11-21'],
  ])('takes %s for %j, as YAML does', async (written, value) => {
    const { fields } = await parseDocument(`---\nname: ${written}\n---\n`);
    expect(fields).toEqual({ name: value });
    expect(parse(`name: ${written}`)).toEqual({ name: value });
  });

  it.each([
    ['*a', 'aliases exceeded'],
    ['&a b\nmore: *a', 'aliases exceeded'],
    ['!!js/function a', 'unknown scalar tag'],
    ['!!binary aGk=', 'unknown scalar tag'],
    ['[[[[[[a]]]]]]', 'nesting exceeded'],
    ['"open', 'deficient indentation'],
    ['"\\x"', 'expected hexadecimal'],
    ['a: b', 'bad indentation'],
    ['1\nname: 2', 'duplicated mapping key'],
    ['a\n--- b', 'not lines of name: value'],
  ])('refuses %s', async (written, reason) => {
    await expect(parseDocument(`---\nname: ${written}\n---\n`)).rejects.toThrow(reason);
  });

  it.each(['- a', '7', 'null', 'a text'])('refuses front matter that is %s', async (front) => {
    await expect(parseDocument(`---\n${front}\n---\n`)).rejects.toThrow('not lines of name: value');
  });

  it('names the line of the file, and nothing that stands in it', async () => {
    const reading = parseDocument('---\nname: 1\nsecret: "a\\q"\n---\n');
    await expect(reading).rejects.toThrow(/^line 3: [^"]*$/);
    await expect(reading).rejects.not.toThrow('secret');
  });

  it('takes a field of any name as a field', async () => {
    const { fields } = await parseDocument('---\n__proto__:\n  polluted: 1\n<<: {a: 1}\n---\n');
    expect(Object.keys(fields)).toEqual(['__proto__', '<<']);
    expect(fields.polluted).toBeUndefined();
  });

  it('reads and writes front matter of 65,536 characters at most', async () => {
    const longest = { fields: { id: '.'.repeat(65_536 - 14) }, content: '---' };
    expect(await parseDocument(writeDocument(longest))).toEqual(longest);
    const longer = `---\nid: "${'.'.repeat(65_536 - 13)}"\n---\n`;
    await expect(parseDocument(longer)).rejects.toThrow('longer than 65536 characters');
    const fields = { id: '.'.repeat(65_536 - 13) };
    expect(() => writeDocument({ fields, content: '' })).toThrow('longer than 65536 characters');
  });

  it('looks at nothing of front matter that is longer', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `a${index}: [\n`).join('');
    await expect(parseDocument(`---\n${lines}---\n`)).rejects.toThrow('longer than');
  });
});
