import type { JSONValue, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { explainSummarization, type SummarizationOptions } from '../../src/index.ts';
import { setUp } from '../support/set-up.ts';

/** Elements of a value. */
const size = 24_000;

/** Milliseconds that asking for so many names takes: more than a slice. */
const askedMs = 9;

/** Elements read in one go at the most: 8,192 that are walked at once, and a slice of 8,000. */
const mostInTurn = 20_000;

/** How a value was read. */
interface Reads {
  readonly value: JSONValue;
  readonly total: () => number;
  /** Reads between two turns of the event loop, at the most. */
  readonly mostInTurn: () => number;
  /** How often the names of a wide object were asked for. */
  readonly asked: () => number;
  /** The same between two turns of the event loop, at the most. */
  readonly mostAskedInTurn: () => number;
}

type Watch = <Value extends object>(value: Value) => Value;

let turning: NodeJS.Immediate | undefined;

afterEach(() => {
  clearImmediate(turning);
  vi.restoreAllMocks();
});

/** Makes a value that tells of its reads, each of which takes a microsecond of the clock. */
function watched(make: (watch: Watch) => JSONValue): Reads {
  let total = 0;
  let before = 0;
  let most = 0;
  let asked = 0;
  let askedBefore = 0;
  let mostAsked = 0;
  const turn = (): void => {
    most = Math.max(most, total - before);
    before = total;
    mostAsked = Math.max(mostAsked, asked - askedBefore);
    askedBefore = asked;
    turning = setImmediate(turn);
  };
  turning = setImmediate(turn);
  vi.spyOn(performance, 'now').mockImplementation(() => total / 1000 + asked * askedMs);
  const watch: Watch = (value) =>
    new Proxy(value, {
      get: (target, name) => {
        total += 1;
        return Reflect.get(target, name);
      },
      ownKeys: (target) => {
        const names = Reflect.ownKeys(target);
        if (names.length >= size) asked += 1;
        return names;
      },
    });
  return {
    value: make(watch),
    total: () => total,
    mostInTurn: () => Math.max(most, total - before),
    asked: () => asked,
    mostAskedInTurn: () => Math.max(mostAsked, asked - askedBefore),
  };
}

function indexes(length: number): readonly number[] {
  return Array.from({ length }, (_, index) => index);
}

const values: Readonly<Record<string, (watch: Watch) => JSONValue>> = {
  'a list': (watch) => watch([...indexes(size)]),
  'an object': (watch) =>
    watch(Object.fromEntries(indexes(size).map((index) => [`key_${index}`, index]))),
  'small objects': (watch) =>
    indexes(size / 4).map(() => watch({ one: 1, two: 2, three: 3, four: 4 })),
  'a deep value': (watch) => {
    let value: JSONValue = 'core';
    for (let level = 0; level < size; level += 1) value = watch({ value });
    return value;
  },
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
  it.each(cases)('%s in pieces: %s as the %s of a tool', async (path, kind, place) => {
    const reads = watched(values[kind] ?? (() => null));
    const { model, inner } = setUp(paths[path]);
    await model.doGenerate({ prompt: (places[place] ?? (() => []))(reads.value) });
    expect(inner.doGenerateCalls).toHaveLength(1);
    expect(reads.total()).toBeGreaterThanOrEqual(size);
    expect(reads.mostInTurn()).toBeLessThan(mostInTurn);
    expect(reads.mostAskedInTurn()).toBe(kind === 'an object' ? 1 : 0);
  });

  it.each(['a list', 'an object', 'small objects'])(
    'is read in pieces to be explained: %s',
    async (kind) => {
      const reads = watched(values[kind] ?? (() => null));
      const { inner } = setUp();
      const given = prompt({}, reads.value);
      const options = { contextLength: 10_000_000 };
      await explainSummarization({ prompt: given, model: inner, options });
      expect(reads.mostInTurn()).toBeLessThan(mostInTurn);
      expect(reads.mostAskedInTurn()).toBe(kind === 'an object' ? 1 : 0);
    },
  );

  it('is asked once for its names in a turn where it stands within another value', async () => {
    const reads = watched((watch) => [1, [values['an object']?.(watch) ?? null]]);
    const { model } = setUp({ contextLength: 4000, strategy: 'rule-based', minMessages: 1 });
    await model.doGenerate({ prompt: prompt({}, reads.value) });
    expect(reads.asked()).toBeGreaterThan(2);
    expect(reads.mostAskedInTurn()).toBe(1);
  });

  it('is left to the provider where it is too deep for any', async () => {
    const reads = watched((watch) => {
      let value: JSONValue = 'core';
      for (let level = 0; level < 150_000; level += 1) value = watch([value]);
      return value;
    });
    const { model, inner, events } = setUp({ contextLength: 4000, minMessages: 1 });
    const given = prompt({}, reads.value);
    await model.doGenerate({ prompt: given });
    expect(inner.doGenerateCalls[0]?.prompt).toBe(given);
    expect(events).toMatchObject([{ type: 'failed', stage: 'prepare' }]);
    // Twice the levels that are walked: the number of elements, and the element.
    expect(reads.total()).toBeLessThan(500_000);
    expect(reads.mostInTurn()).toBeLessThan(mostInTurn);
  });

  it.each(Object.entries(values))('is read once to be sent: %s', async (_, make) => {
    const reads = watched(make);
    const { model } = setUp({ contextLength: 10_000_000 });
    await model.doGenerate({ prompt: prompt({}, reads.value) });
    // Of an object its methods are looked for besides.
    expect(reads.total()).toBeLessThan(1.6 * size);
  });
});
