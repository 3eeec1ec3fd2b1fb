import { convertReadableStreamToArray } from 'ai/test';
import { expect, it } from 'vitest';
import { ruleBasedStrategy, type SummarizationOptions } from '../../src/index.ts';
import { setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const thrown = (): never => {
  throw new Error('of the caller');
};

const circular: Record<string, unknown> = { a: 1 };
circular['self'] = circular;

/** A value of which every property holds every value: whoever walks it without looking back never ends. */
const tangled: Record<string, unknown>[] = Array.from({ length: 12 }, () => ({}));
for (const value of tangled)
  for (const [index, other] of tangled.entries()) value[`k${index}`] = other;

/** Values no JSON has, or that cannot be read. */
const oddValues: Readonly<Record<string, unknown>> = {
  null: null,
  undefined,
  number: 7,
  bigint: { rows: [{ id: 10n }] },
  symbol: Symbol('odd'),
  function: () => 1,
  date: new Date(Number.NaN),
  bytes: new Uint8Array([1, 2, 3]),
  'no prototype': Object.create(null),
  circular,
  tangled,
  getter: Object.defineProperty({ type: 'text' }, 'text', { get: thrown, enumerable: true }),
  toJSON: { toJSON: thrown },
  proxy: new Proxy({}, { get: thrown, ownKeys: thrown }),
};

const result = (output: unknown): object => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'odd', toolName: 'run', output }],
});
const from = (role: string, ...content: unknown[]): object => ({ role, content });

/** Places in a message where an odd value may stand. */
const places: Readonly<Record<string, (value: unknown) => unknown>> = {
  message: (value) => value,
  role: (value) => ({ role: value, content: [{ type: 'text', text: 'x' }] }),
  content: (value) => ({ role: 'user', content: value }),
  part: (value) => from('user', value, { type: 'text', text: 'x' }),
  'part of an answer': (value) => from('assistant', value),
  type: (value) => from('user', { type: value, text: 'x' }),
  text: (value) => from('user', { type: 'text', text: value }),
  system: (value) => ({ role: 'system', content: value }),
  'provider options': (value) =>
    Object.assign(from('user', { type: 'text', text: 'x', providerOptions: value }), {
      providerOptions: value,
    }),
  file: (value) => from('user', { type: 'file', mediaType: value, data: value }),
  'file data': (value) =>
    from('user', { type: 'file', mediaType: 'image/png', data: { type: 'data', data: value } }),
  'tool call': (value) =>
    from('assistant', { type: 'tool-call', toolCallId: value, toolName: value, input: value }),
  'tool output': result,
  'tool json': (value) => result({ type: 'json', value }),
  'tool content': (value) => result({ type: 'content', value: [value] }),
};

const oddMessages = Object.entries(places).flatMap(([place, make]) =>
  Object.entries(oddValues).map(([value, given]) => ({
    name: `${value} as ${place}`,
    message: make(given),
  })),
);

const ruleBased: SummarizationOptions = { strategy: 'rule-based' };
/** Each looks into messages in a way of its own. */
const optionSets: readonly SummarizationOptions[] = [
  {},
  ruleBased,
  { strategy: 'none' },
  { strategy: ruleBasedStrategy() },
  { ...ruleBased, pin: (message) => message.role === 'user' },
  { ...ruleBased, redact: (text) => text.replaceAll('word', '*') },
  { ...ruleBased, messageFilter: { toolResults: 'omit', userMessages: 'full' } },
  { ...ruleBased, condenseToolResults: true },
  { ...ruleBased, maxToolOutputTokens: 100 },
  { ...ruleBased, preserveUserTurns: true },
];

/** A chat with a message of any kind in it, as plain JavaScript may hand it on. */
function promptWith(message: unknown, size: number): unknown[] {
  const prompt: unknown[] = Array.from({ length: size }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `Message ${index}: ${'word '.repeat(30)}` }],
  }));
  return prompt.toSpliced(size >> 1, 0, message);
}

/** With these, a chat of 14 messages is below the trigger, and one of 60 above it with room to the limit. */
const limits = { contextLength: 20_000, triggerTokenRatio: 0.04, resetTokenRatio: 0.03 };

it.each(optionSets)(
  'a message that is none leaves its call what it is without the middleware: %j',
  async (options) => {
    for (const [index, { name, message }] of oddMessages.entries()) {
      const prompt = promptWith(message, [1, 14, 60][index % 3] ?? 1);
      const { inner, events, model } = setUp({ ...limits, ...options });
      const params = untyped<Parameters<typeof model.doGenerate>[0]>({ prompt });
      const parts =
        index % 2 === 0
          ? (await model.doGenerate(params)).content
          : await convertReadableStreamToArray((await model.doStream(params)).stream);
      const [sent] = [...inner.doGenerateCalls, ...inner.doStreamCalls];
      const types = new Set(events.map(({ type }) => type));
      const acted = types.has('applied') || types.has('recovered');
      const said: readonly string[] = parts.map(({ type }) => type);
      expect(said, name).not.toContain('error');
      expect(sent?.prompt.length, name).toBeGreaterThan(0);
      // Whatever of ours failed, the call is the one that was given.
      expect(types.has('failed') && !acted ? sent?.prompt : prompt, name).toBe(prompt);
    }
  },
);
