import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../../src/json/stringify-json.ts';

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { next: value };
  return value;
}

describe('stringifyJson', () => {
  it('is JSON.stringify wherever that works', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(stringifyJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('is empty for nothing', () => {
    expect(stringifyJson(undefined)).toBe('');
  });

  it.each([10_000, 100_000])('writes %i levels', (levels) => {
    const text = stringifyJson(nested(levels));
    expect(text).toContain('"core"');
    expect(text.length).toBe('"core"'.length + (levels / 2) * ('[]'.length + '{"next":}'.length));
  });

  it('writes null for what is deeper', () => {
    let value: unknown = 'core';
    for (let level = 0; level < 100_001; level += 1) value = [value];
    expect(stringifyJson(value)).toBe(`${'['.repeat(100_000)}null${']'.repeat(100_000)}`);
  });

  it('writes the same text without recursion', () => {
    // The big integer makes JSON.stringify give up; the rest must not differ.
    const value = {
      list: [1, 'two "quoted"', null, [], {}, [true, { 'a\n': 1.5 }]],
      no: undefined,
    };
    const plain = JSON.stringify({ ...value, big: 0 });
    expect(stringifyJson({ ...value, big: 0n })).toBe(plain);
  });

  it('ends on a cycle', () => {
    const cycle: Record<string, unknown> = { name: 'loop' };
    cycle['self'] = cycle;
    expect(stringifyJson([cycle, cycle])).toBe(
      '[{"name":"loop","self":null},{"name":"loop","self":null}]',
    );
  });

  it('stops on a graph that would never end', () => {
    let value: unknown = ['leaf '.repeat(200), 1n];
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(stringifyJson(value).length).toBeLessThan(8_100_000);
  });
});
