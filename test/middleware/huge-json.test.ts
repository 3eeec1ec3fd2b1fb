import type { JSONValue, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { setUp } from '../support/set-up.ts';

/** Elements of a value. */
const size = 24_000;

type Watch = <Value extends object>(value: Value) => Value;
type Make = (watch: Watch) => JSONValue;

/** Makes a value that tells of its reads. */
function watched(make: Make): { readonly value: JSONValue; readonly total: () => number } {
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

const values: readonly (readonly [kind: string, Make])[] = [
  ['a list', (watch) => watch([...indexes(size)])],
  [
    'an object',
    (watch) => watch(Object.fromEntries(indexes(size).map((index) => [`key_${index}`, index]))),
  ],
  [
    'small objects',
    (watch) => indexes(size / 4).map(() => watch({ one: 1, two: 2, three: 3, four: 4 })),
  ],
  ['deep lists', (watch) => indexes(size / 500).map(() => deep(watch, 500))],
];

const asItIs: SummarizationOptions = { contextLength: 10_000_000 };
const byModel: SummarizationOptions = { contextLength: 4000, minMessages: 1 };
const byRules: SummarizationOptions = { ...byModel, strategy: 'rule-based' };
const shortened: SummarizationOptions = { ...byModel, strategy: 'none', fallbackStrategy: false };

/** A call of a tool, with what it was given and gave. */
function prompt(input: JSONValue, value: JSONValue): LanguageModelV4Prompt {
  const call = { toolCallId: 'call', toolName: 'query' };
  const said = (text: string): LanguageModelV4Prompt[number] => ({
    role: 'user',
    content: [{ type: 'text', text }],
  });
  return [
    said('Ask for all of it.'),
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'json', value } }] },
    ...indexes(6).map((index) => said(`Question ${index}`)),
  ];
}

describe.each(values)('one huge JSON value, %s', (_kind, make) => {
  it.each<[string, SummarizationOptions, most: number]>([
    // The length of a list, and a method of its own, are looked for besides.
    ['is read once to be sent', asItIs, 3.1],
    ['is summarized by rules in a few passes', byRules, 50],
    ['is summarized by a model in a few passes', byModel, 50],
    ['is shortened in a few passes', shortened, 50],
  ])('%s', async (_way, options, most) => {
    for (const isResult of options === byRules ? [true, false] : [true]) {
      const { value, total } = watched(make);
      const { model, inner } = setUp(options);
      await model.doGenerate({ prompt: isResult ? prompt({}, value) : prompt(value, 'ok') });
      expect(inner.doGenerateCalls).toHaveLength(1);
      expect(total()).toBeGreaterThanOrEqual(size);
      expect(total()).toBeLessThan(most * size);
    }
  });
});

it('a value that is too deep for JSON is left to the provider', async () => {
  const { model, inner, events } = setUp(byModel);
  const given = prompt({}, watched((watch) => deep(watch, 150_000)).value);
  await model.doGenerate({ prompt: given });
  expect(inner.doGenerateCalls[0]?.prompt).toBe(given);
  expect(events).toMatchObject([{ type: 'failed', stage: 'prepare' }]);
});
