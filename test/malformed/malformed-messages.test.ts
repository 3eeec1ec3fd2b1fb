import { wrapLanguageModel } from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countPromptTokens,
  explainSummarization,
  ruleBasedStrategy,
  type SummarizationEvent,
  summarizationMiddleware,
  SummarizationOptionError,
  type SummarizationOptions,
  summarizeConversation,
} from '../../src/index.ts';
import { chatModel } from '../support/models.ts';
import { untyped } from '../support/untyped.ts';
import { oddMessage, oddMessages } from './parts.ts';

/** Milliseconds for which a property may run, whatever else runs. */
const timeoutMs = 120_000;

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
  { ...ruleBased, preserveUserTurns: true },
];

/** A chat with a message of any kind in it, as plain JavaScript may hand it on. */
function promptWith(message: unknown, size: number, place: number): unknown[] {
  const prompt: unknown[] = Array.from({ length: size }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `Message ${index}: ${'word '.repeat(30)}` }],
  }));
  prompt.splice(Math.floor(place * (size - 1)), 0, message);
  return prompt;
}

/** Everything that a stream says. */
async function readAll<T>(stream: ReadableStream<T>): Promise<readonly T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** Below the trigger, and above it with room to the limit. */
const sizes = fc.constantFrom(1, 3, 14, 30, 60);
const limits: SummarizationOptions = {
  contextLength: 20_000,
  triggerTokenRatio: 0.04,
  resetTokenRatio: 0.03,
};

describe('a call with a message that is none', () => {
  it.each(['generate', 'stream'] as const)(
    'reaches the model as it would without the middleware: %s',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(
          oddMessage,
          sizes,
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.constantFrom(...optionSets),
          async ({ message }, size, place, options) => {
            const events: SummarizationEvent[] = [];
            const inner = chatModel();
            const model = wrapLanguageModel({
              model: inner,
              middleware: summarizationMiddleware({
                ...limits,
                ...options,
                onEvent: (event) => events.push(event),
              }),
            });
            const prompt = promptWith(message, size, place);
            const params = untyped<Parameters<typeof model.doGenerate>[0]>({ prompt });
            const parts =
              kind === 'generate'
                ? (await model.doGenerate(params)).content
                : await readAll((await model.doStream(params)).stream);
            const [sent] = [...inner.doGenerateCalls, ...inner.doStreamCalls];
            const failed = events.some(({ type }) => type === 'failed');
            const acted = events.some(({ type }) => type === 'applied' || type === 'recovered');
            const types: readonly string[] = parts.map(({ type }) => type);
            expect(types).not.toContain('error');
            expect(sent?.prompt.length).toBeGreaterThan(0);
            // Whatever of ours failed, the call is the one that was given.
            expect(failed && !acted ? sent?.prompt : prompt).toBe(prompt);
          },
        ),
        { numRuns: 400 },
      );
    },
    timeoutMs,
  );
});

describe('a conversation with a message that is none', () => {
  const model = chatModel();
  const functions: Readonly<Record<string, (prompt: unknown) => Promise<unknown>>> = {
    countPromptTokens: (messages) => countPromptTokens(untyped({ messages })),
    explainSummarization: (messages) =>
      explainSummarization(untyped({ messages, model, options: { ...limits, ...ruleBased } })),
    summarizeConversation: (messages) =>
      summarizeConversation({ messages: untyped(messages), model, config: ruleBased }),
  };
  /** What the caller's own values throw, and what the SDK says of a conversation. */
  const others = /of the caller|InvalidPrompt|Media type is missing|must be|ModelMessage/;

  it.each(Object.entries(functions))(
    'is read by %s, or named in its error',
    async (_name, work) => {
      for (const [name, message] of oddMessages) {
        const error = await work(promptWith(message, 3, 0.5)).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const named = SummarizationOptionError.isInstance(error)
          ? /^messages\[\d+\]/.test(error.option)
          : error === undefined ||
            (error instanceof Error && others.test(`${error.name} ${error.message}`));
        expect({ name, named }).toEqual({ name, named: true });
      }
    },
    timeoutMs,
  );

  it.each([
    ['null', null, 'Invalid option messages[1]: got null, allowed is an object with a role'],
    [
      'output that holds itself',
      oddMessages.find(([name]) => name === 'circular as tool json')?.[1],
      'Invalid option messages[1]: got an object, allowed is a message of which every part can be read (',
    ],
    [
      'a getter that throws what cannot be written',
      {
        role: 'user',
        get content(): never {
          throw Object.create(null);
        },
      },
      'allowed is a message of which every part can be read (an error that says nothing)',
    ],
  ])('says what is wrong: %s', async (_name, message, text) => {
    const messages = promptWith(message, 3, 0.5);
    await expect(countPromptTokens(untyped({ messages }))).rejects.toThrow(text);
  });
});
