import type { JSONValue, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { setUp } from '../support/set-up.ts';

/** Elements of a value. */
const size = 24_000;

/** How a value was read. */
interface Reads {
  readonly value: JSONValue;
  readonly total: () => number;
}

type Watch = <Value extends object>(value: Value) => Value;

/** Makes a value that tells of its reads. */
function watched(make: (watch: Watch) => JSONValue): Reads {
  let total = 0;
  const watch: Watch = (value) =>
    new Proxy(value, {
      get: (target, name) => {
        total += 1;
        return Reflect.get(target, name);
      },
    });
  return { value: make(watch), total: () => total };
}

function indexes(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}

function deep(watch: Watch, levels: number): JSONValue {
  let value: JSONValue = 'core';
  for (let level = 0; level < levels; level += 1) value = watch([value]);
  return value;
}

const values: Readonly<Record<string, (watch: Watch) => JSONValue>> = {
  'a list': (watch) => watch([...indexes(size)]),
  'an object': (watch) =>
    watch(Object.fromEntries(indexes(size).map((index) => [`key_${index}`, index]))),
  'small objects': (watch) =>
    indexes(size / 4).map(() => watch({ one: 1, two: 2, three: 3, four: 4 })),
  'deep lists': (watch) => indexes(size / 500).map(() => deep(watch, 500)),
};

const paths: Readonly<Record<string, SummarizationOptions>> = {
  'sends it as it is': { contextLength: 10_000_000 },
  'summarises it by rules': { contextLength: 4000, strategy: 'rule-based', minMessages: 1 },
  'has a model summarise it': { contextLength: 4000, minMessages: 1 },
  'shortens it': { contextLength: 4000, strategy: 'none', fallbackStrategy: false },
};

function prompt(input: JSONValue, value: JSONValue): LanguageModelV4Prompt {
  const call = { toolCallId: 'call', toolName: 'query' };
  const output = { type: 'json' as const, value };
  return [
    { role: 'user', content: [{ type: 'text', text: 'Ask for all of it.' }] },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
    ...indexes(6).map((index) => ({
      role: 'user' as const,
      content: [{ type: 'text' as const, text: `Question ${index}` }],
    })),
  ];
}

const places: Readonly<Record<string, (value: JSONValue) => LanguageModelV4Prompt>> = {
  result: (value) => prompt({}, value),
  input: (value) => prompt(value, 'ok'),
};

/** Every path with a result; with an input the one that reads it most. */
const cases = Object.keys(values).flatMap((kind) => [
  ...Object.keys(paths).map((path) => [path, kind, 'result'] as const),
  ['summarises it by rules', kind, 'input'] as const,
]);

describe('one huge JSON value', () => {
  it.each(cases)(
    '%s in a few passes over it: %s as the %s of a tool',
    async (path, kind, place) => {
      const reads = watched(values[kind] ?? (() => null));
      const { model, inner } = setUp(paths[path]);
      await model.doGenerate({ prompt: (places[place] ?? (() => []))(reads.value) });
      expect(inner.doGenerateCalls).toHaveLength(1);
      expect(reads.total()).toBeGreaterThanOrEqual(size);
      expect(reads.total()).toBeLessThan(50 * size);
    },
  );

  it.each(Object.entries(values))('is read once to be sent: %s', async (_, make) => {
    const reads = watched(make);
    const { model } = setUp({ contextLength: 10_000_000 });
    await model.doGenerate({ prompt: prompt({}, reads.value) });
    // The length of a list, and a method of its own, are looked for besides.
    expect(reads.total()).toBeLessThan(3.1 * size);
  });

  it('is left to the provider where it is too deep for JSON', async () => {
    const reads = watched((watch) => deep(watch, 150_000));
    const { model, inner, events } = setUp({ contextLength: 4000, minMessages: 1 });
    const given = prompt({}, reads.value);
    await model.doGenerate({ prompt: given });
    expect(inner.doGenerateCalls[0]?.prompt).toBe(given);
    expect(events).toMatchObject([{ type: 'failed', stage: 'prepare' }]);
  });
});
