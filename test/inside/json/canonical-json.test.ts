import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalSteps } from '../../../src/json/canonical-json.ts';
import { runInSlices } from '../../../src/util/async/run-steps.ts';

describe('canonicalJson', () => {
  it.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ a: undefined, b: { c: undefined } }, '{"b":{}}'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [undefined, 'null'],
  ])('sorts keys and leaves out what JSON leaves out: %j', (value, json) => {
    expect(canonicalJson(value)).toBe(json);
  });

  it('takes the same object in two places', () => {
    const shared = { x: 1 };
    expect(canonicalJson([shared, { shared }])).toBe('[{"x":1},{"shared":{"x":1}}]');
  });

  it('takes values nested deeper than the call stack', () => {
    let value: unknown = 0;
    for (let depth = 0; depth < 50_000; depth += 1) value = [value];
    expect(canonicalJson(value)).toHaveLength(100_001);
  });

  it('refuses more levels than anybody can write', () => {
    let value: unknown = 0;
    for (let depth = 0; depth < 100_001; depth += 1) value = [value];
    expect(() => canonicalJson(value)).toThrow(RangeError);
    expect(canonicalJson(Reflect.get(Object(value), 0))).toHaveLength(200_001);
  });

  it('refuses a value that holds itself', () => {
    const value: Record<string, unknown> = {};
    value['self'] = [value];
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});

describe('canonicalSteps', () => {
  it.each([
    ['a list', Array.from({ length: 100_000 }, (_, index) => index)],
    ['an object', Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [index, 1]))],
  ])('writes the same of %s, and asks for a pause in between', async (_name, value) => {
    let asked = 0;
    const pause = (): Promise<void> => {
      asked += 1;
      return Promise.resolve();
    };
    expect(await runInSlices(canonicalSteps(value), { pause })).toBe(canonicalJson(value));
    expect(asked).toBeGreaterThan(10);
  });
});
