import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, jsonText, readableJson } from '../../../src/json/write-json.ts';
import { runAtOnce, runInSlices, type Steps } from '../../../src/util/async/run-steps.ts';
import { countedSlices } from '../support/counted-slices.ts';

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { next: value };
  return value;
}

/** What is written at once, and what is written in steps. */
const wide = Array.from({ length: 9000 }, () => 0);

const canonical = (value: unknown): string => runAtOnce(canonicalJson(value));
const text = (value: unknown): string => runAtOnce(jsonText(value));

describe('jsonText', () => {
  it('is JSON.stringify wherever that works, at once and in steps', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(text(value)).toBe(JSON.stringify(value));
        expect(text([value, wide])).toBe(JSON.stringify([value, wide]));
      }),
    );
  });

  it('is empty for nothing', () => {
    expect(text(undefined)).toBe('');
  });

  it.each([10_000, 100_000])('writes %i levels', (levels) => {
    const written = text(nested(levels));
    expect(written).toContain('"core"');
    expect(written.length).toBe(6 + (levels / 2) * ('[]'.length + '{"next":}'.length));
  });
});

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ a: undefined, b: { c: undefined } }, '{"b":{}}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [undefined, 'null'],
  ])('sorts names and leaves out what JSON leaves out: %j', (value, json) => {
    expect(canonical(value)).toBe(json);
    expect(canonical([value, wide])).toBe(`[${json},${JSON.stringify(wide)}]`);
  });

  it('does not depend on the order of names', () => {
    const backwards = (_name: string, value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value;
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const other: unknown = JSON.parse(JSON.stringify(value, backwards));
        expect(canonical(other)).toBe(canonical(value));
        expect(canonical([other, wide])).toBe(canonical([value, wide]));
      }),
    );
  });

  it('takes the same object in two places', () => {
    const shared = { x: 1 };
    expect(canonical([shared, { shared }])).toBe('[{"x":1},{"shared":{"x":1}}]');
  });
});

describe.each([
  ['jsonText', jsonText],
  ['canonicalJson', canonicalJson],
])('%s', (_name, write: (value: unknown) => Steps<string>) => {
  it('refuses more levels than anybody can write', () => {
    let value: unknown = 0;
    for (let depth = 0; depth < 100_001; depth += 1) value = [value];
    expect(() => runAtOnce(write(value))).toThrow(RangeError);
    expect(runAtOnce(write(Reflect.get(Object(value), 0)))).toHaveLength(200_001);
  });

  it('refuses a value that holds itself', () => {
    const value: Record<string, unknown> = {};
    value['self'] = [value];
    expect(() => runAtOnce(write(value))).toThrow('The value holds itself.');
  });

  it('tells a large integer from a number and its digits', () => {
    const texts = [1n, 1, '1'].map((value) => runAtOnce(write({ value })));
    expect(new Set(texts).size).toBe(3);
  });

  it.each([
    ['a list', Array.from({ length: 100_000 }, (_, index) => index)],
    ['an object', Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [index, 1]))],
  ])('asks for pauses while it writes %s', async (_kind, value) => {
    const slices = countedSlices();
    expect(await runInSlices(write(value), slices)).toBe(runAtOnce(write(value)));
    expect(slices.asked()).toBeGreaterThan(10);
  });
});

describe('readableJson', () => {
  const clean = (given: string): string => given.replaceAll('secret', '*');
  const circular: Record<string, unknown> = { a: 'a secret' };
  circular['again'] = circular;

  it.each<[string, unknown, unknown]>([
    ['texts and names', { 'a secret': ['secret', 1] }, { 'a *': ['*', 1] }],
    ['a cycle', circular, { a: 'a *', again: '[circular]' }],
    ['bytes', [new Uint8Array(3)], ['[binary data, 3 bytes]']],
    ['a date', [new Date(0)], ['1970-01-01T00:00:00.000Z']],
    ['a large integer', [7n], ['7']],
    ['names of the language', JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])('makes JSON of %s', (_name, value, expected) => {
    expect(JSON.parse(runAtOnce(readableJson(value, clean)))).toEqual(expected);
  });

  it('cleans numbers, and leaves those that stay as they are', () => {
    const card = (given: string): string => (given === '4111' ? '*' : given);
    expect(runAtOnce(readableJson([4111, 5], card))).toBe('["*",5]');
  });

  it('goes no deeper than anybody reads', () => {
    const written = runAtOnce(readableJson(nested(100), clean));
    expect(written).toContain('"[nested too deeply]"');
    expect(written).not.toContain('core');
  });
});
