import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../src/prompt/cleaning/visible-text.ts';
import {
  answerJsonSchema,
  objectsIn,
  parseAnswer,
} from '../../../../src/summaries/models/summary-answer.ts';

type Schema = Readonly<Record<string, unknown>>;
const plain = { type: 'string' };
const orNull = (type: string): Schema => ({ type: [type, 'null'] });
const listOf = (items: Schema): Schema => ({ type: 'array', items });
/** As strict modes want it: all required and nothing else. */
const objectOf = (properties: Schema): Schema => {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false };
};

it('is asked for without bounds, what holds before what is told', () => {
  const asked = answerJsonSchema();
  const [optional, message] = [orNull('string'), orNull('number')];
  const expected = objectOf({
    constraints: listOf(objectOf({ text: plain, message })),
    ended: listOf(objectOf({ rule: plain, by: plain, now: optional })),
    decisions: listOf(plain),
    actionItems: listOf(objectOf({ owner: optional, task: plain, due: optional })),
    unresolved: listOf(plain),
    keyPoints: listOf(plain),
    domainEntities: listOf(plain),
    summary: plain,
  });
  // Models write the fields in the order in which they stand.
  expect(JSON.stringify(asked)).toBe(JSON.stringify(expected));
});

const read = (value: unknown) => parseAnswer(value, visibleText);

/** What is read of an answer that says `s` and something more; lists that are empty are none. */
function readBeside(more: object): object {
  const { summary, ...lists } = read({ summary: 's', ...more }) ?? {};
  expect(summary).toBe('s');
  return Object.fromEntries(
    Object.entries(lists).filter(([, value]) => Array.isArray(value) && value.length > 0),
  );
}

const asked = {
  constraints: [{ text: 'r', message: 2 }],
  ended: [{ rule: 'c0', by: 'No longer.', now: 'On Mondays.' }],
  decisions: [{ text: 'd' }],
  actionItems: [{ owner: 'o', task: 't', message: 5 }],
  unresolved: [{ text: 'u', message: 6 }],
  keyPoints: [{ text: 'k', message: 7 }],
  domainEntities: [{ text: 'e' }],
};
const may = { task: 'u', due: 'May' };
const wrong = { actionItems: [{ owner: 'x' }, { task: 't' }], unresolved: 5 };
const proto: object = JSON.parse('{"__proto__":{"polluted":1},"decisions":["d"]}');
const a = [{ text: 'a' }];

describe('parseAnswer', () => {
  it.each<[string, object, object]>([
    ['what it is asked for', asked, asked],
    [
      'null for what is not known',
      { actionItems: [{ owner: null, task: 't', due: null }, may] },
      { actionItems: [{ task: 't' }, may] },
    ],
    [
      'texts where lists belong',
      { keyPoints: 'a', decisions: '- a\n- b', actionItems: 'd' },
      { keyPoints: a, decisions: [...a, { text: 'b' }], actionItems: [{ task: 'd' }] },
    ],
    [
      'what was ended and by what',
      { ended: [{ rule: 'a', by: 'b' }, { rule: 'a' }, { by: 'b' }, 'a'] },
      { ended: [{ rule: 'a', by: 'b' }] },
    ],
    [
      'what is right',
      { keyPoints: [1, 'a', null, { text: 7 }, ['b']], context: wrong },
      { keyPoints: a, actionItems: [{ task: 't' }] },
    ],
    [
      'what can be seen',
      { keyPoints: ['x\u0085\u200by\u001b\n\n\ud800'] },
      { keyPoints: [{ text: 'x y \ufffd' }] },
    ],
    ['a key that is a prototype', { context: proto }, { decisions: [{ text: 'd' }] }],
  ])('reads %s', (_, value, expected) => {
    expect(readBeside(value)).toEqual(expected);
    expect('polluted' in {}).toBe(false);
  });

  it.each([
    undefined,
    null,
    [{ text: 'x' }, [{ keyPoints: ['a'] }]],
    { summary: ' \n\t\u200b\u0000 ' },
  ])('refuses %j', (value) => {
    expect(read(value)).toBeUndefined();
  });

  it.each([
    ['12', 12],
    [null, undefined],
    [1.5, undefined],
    [{ valueOf: 1 }, undefined],
    ['9'.repeat(10_000), undefined],
  ])('reads of a statement the position %j', (message, expected) => {
    expect(readBeside({ keyPoints: [{ text: 'a', message }] })).toEqual({
      keyPoints: [expected === undefined ? { text: 'a' } : { text: 'a', message: expected }],
    });
  });

  it('bounds the number and length of items', () => {
    const keyPoints = Array.from({ length: 100_000 }, (_, index) => `point ${index}`);
    const parsed = read({ summary: 's', keyPoints, decisions: ['🙂'.repeat(500_000)] });
    expect(parsed?.keyPoints).toHaveLength(200);
    expect(parsed?.decisions[0]?.text.length).toBeLessThanOrEqual(2000);
    expect(parsed?.decisions[0]?.text.isWellFormed()).toBe(true);
  });

  it('keeps the whole items of any beginning, and none that is not whole', () => {
    const statement = fc
      .string({ unit: 'grapheme-ascii', minLength: 1 })
      .map((said) => `x${said}.`);
    const statements = fc.array(statement, { minLength: 1, maxLength: 9 });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(statements, statement, share, (keyPoints, summary, part) => {
        const written = JSON.stringify({ summary, keyPoints, decisions: keyPoints });
        const cut = read(written.slice(0, Math.floor(written.length * part)));
        const { keyPoints: said = [], decisions = [] } = cut ?? {};
        const whole = read(written);
        expect(said).toEqual(whole?.keyPoints.slice(0, said.length));
        expect(decisions.length === 0 || said.length === whole?.keyPoints.length).toBe(true);
        expect([undefined, whole?.summary]).toContain(cut?.summary);
      }),
    );
  });

  it.each([
    ['{"keyPoints":["a"],"summary":"They met. They spoke of ri', 'a', a],
    ['{"summary":"s","keyPoints":["a",{"text":"b","message":007}]}', 's', a],
    ['{"decisions":["Go by boat."],"keyPoints":["a","Tw', 'Go by boat. a', a],
  ])('reads of what was cut off as far as it goes: %s', (written, summary, keyPoints) => {
    expect([read(written)?.summary, read(written)?.keyPoints]).toEqual([summary, keyPoints]);
  });
});

describe('objectsIn', () => {
  const found = (text: string): readonly unknown[] =>
    [...objectsIn(text)].filter(({ isWhole }) => isWhole).map(({ value }) => value);

  it('reads what JSON.parse reads', () => {
    const text = fc.string({ unit: 'grapheme' });
    const object = fc.dictionary(text, fc.jsonValue({ maxDepth: 6 }), { minKeys: 1 });
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2), (value, indent) => {
        const written = JSON.stringify(value, undefined, indent);
        const [read1] = found(`Here: ${written} That is all.`);
        expect(JSON.stringify(read1)).toBe(JSON.stringify(JSON.parse(written)));
      }),
    );
  });

  it.each([
    ['what begins like one', '{ not } {"a": nothing} {"b":1}', [{ b: 1 }]],
    ['a brace in a text', '{"a":"}{","b":1}', [{ a: '}{', b: 1 }]],
    ['line breaks in texts', '{"a":"one\ntwo"}', [{ a: 'one\ntwo' }]],
    ['backslashes that escape nothing', String.raw`{"a":"C:\dir \d+"}`, [{ a: 'C:\\dir \\d+' }]],
  ])('gets over %s', (_, written, expected) => {
    expect(found(written)).toEqual(expected);
  });

  it.each(['{', '[', '{"a":[', '{"a":1,', '{"a":"{\\"'])(
    'comes to the end of 100,000 characters of %s',
    (piece) => {
      // By a square of them, it would not in an hour.
      expect(found(piece.repeat(Math.ceil(100_000 / piece.length)))).toEqual([]);
    },
  );
});
