import {
  array,
  assert,
  boolean,
  dictionary,
  double,
  jsonValue,
  property,
  string,
} from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../../../src/cleaning/visible-text.ts';
import { objectsIn } from '../../../../src/strategies/models/summary-answer.ts';
import { parseAnswer } from '../../../../src/strategies/models/summary-answer.ts';

const found = (text: string): readonly unknown[] =>
  [...objectsIn(text)].filter(({ isWhole }) => isWhole).map(({ value }) => value);

const text = string({ unit: 'grapheme' });
const object = dictionary(text, jsonValue({ maxDepth: 6 }), { minKeys: 1 });
const statement = string({ unit: 'grapheme-ascii', minLength: 1 }).map((said) => `x${said}.`);

describe('objectsIn', () => {
  it('reads what JSON.parse reads', () => {
    assert(
      property(object, boolean(), (value, isSpread) => {
        const written = JSON.stringify(value, undefined, isSpread ? 2 : undefined);
        const read = [...objectsIn(`Here: ${written} That is all.`)];
        expect(read[0]?.isWhole).toBe(true);
        expect(JSON.stringify(read[0]?.value)).toBe(JSON.stringify(JSON.parse(written)));
      }),
    );
  });

  it.each([
    ['what begins like one', '{ not } {"a": nothing} {"b":1}', [{ b: 1 }]],
    ['a brace in a text', '{"a":"}{","b":1}', [{ a: '}{', b: 1 }]],
    ['line breaks in texts', '{"a":"one\ntwo"}', [{ a: 'one\ntwo' }]],
    ['backslashes that escape nothing', String.raw`{"a":"C:\dir \d+"}`, [{ a: 'C:\\dir \\d+' }]],
    ['a comma behind the last', '{"a":[1,2,],}', [{ a: [1, 2] }]],
  ])('gets over %s', (_, written, expected) => {
    expect(found(written)).toEqual(expected);
  });

  it.each([
    ['{', '{'],
    ['[', '['],
    ['{"', '{"'],
    ['{"a":', '{"a":'],
    ['{"a":[', '{"a":['],
    ['{"a":"', '{"a":"'],
    ['{"a":1,', '{"a":1,'],
    [String.raw`{"\"`, String.raw`{"\"`],
    ['{ ', '{ '],
    ['{"a":"{\\"', '{"a":"{\\"'],
  ])('comes to the end of 400,000 characters of %s', (_, piece) => {
    // By a square of them, it would not in an hour.
    expect(found(piece.repeat(Math.ceil(400_000 / piece.length)))).toEqual([]);
  });
});

it('leaves the prototype of objects alone', () => {
  expect(found('{"__proto__":{"p":1},"a":1}')).toHaveLength(1);
  expect('p' in {}).toBe(false);
});

describe('parseAnswer of what was cut off', () => {
  it('keeps the whole items of any beginning, and none that is not whole', () => {
    assert(
      property(
        array(statement, { minLength: 1, maxLength: 9 }),
        statement,
        double({ min: 0, max: 1, noNaN: true }),
        (points, summary, share) => {
          const written = JSON.stringify({
            summary,
            keyPoints: points,
            context: { decisions: points },
          });
          const cut = parseAnswer(
            written.slice(0, Math.floor(written.length * share)),
            visibleText,
          );
          if (cut === undefined) return;
          const whole = parseAnswer(written, visibleText);
          const said = cut.keyPoints.map(({ text: each }) => each);
          expect(whole?.keyPoints.map(({ text: each }) => each).slice(0, said.length)).toEqual(
            said,
          );
          const isBehind = cut.decisions.length > 0;
          expect(!isBehind || said.length === whole?.keyPoints.length).toBe(true);
          expect(cut.summary).toBe(whole?.summary);
        },
      ),
    );
  });

  it('reads a narrative at the end as far as its last whole sentence, where there are items', () => {
    const written = '{"keyPoints":["One."],"summary":"They met. They spoke of ri';
    expect(parseAnswer(written, visibleText)).toMatchObject({
      summary: 'They met.',
      keyPoints: [{ text: 'One.' }],
    });
    expect(parseAnswer('{"summary":"They met. They spoke of ri', visibleText)).toBeUndefined();
  });

  it('reads as far as a number that no JSON has', () => {
    const written = '{"summary":"s","keyPoints":["a",{"text":"b","message":007}]}';
    expect(parseAnswer(written, visibleText)).toMatchObject({
      summary: 's',
      keyPoints: [{ text: 'a' }],
    });
  });

  it('says what the items say where the narrative had not begun', () => {
    const written = '{"context":{"decisions":["Go by boat."]},"keyPoints":["One.","Tw';
    expect(parseAnswer(written, visibleText)?.summary).toBe('Go by boat. One.');
  });
});
