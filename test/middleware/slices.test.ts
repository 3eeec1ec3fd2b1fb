import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { summarizationMiddleware, type SummarizationOptions } from '../../src/index.ts';
import { chatModel } from '../support/models.ts';

const many = 1100;

function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function toolStep(index: number): readonly LanguageModelV4Message[] {
  const named = { toolCallId: `call-${index}`, toolName: 'read' };
  return [
    { role: 'assistant', content: [{ type: 'tool-call', ...named, input: { index } }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', ...named, output: { type: 'text', value: `${index}` } }],
    },
  ];
}

const messages = Array.from({ length: many }, (_, index) => user(`${index}`));
const steps = [
  user('Go on.'),
  ...Array.from({ length: many / 2 }, (_, index) => toolStep(index)).flat(),
  user('Stop.'),
];

// Thousands of stacks are read, of which the files are enough.
const usual = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace') ?? { value: undefined };

beforeEach(() => {
  Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName()).join('\n');
});

afterEach(() => {
  Object.defineProperty(Error, 'prepareStackTrace', usual);
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** The files in which a call let others have a turn, on a clock that uses up each slice at once. */
async function filesThatRest(
  prompt: LanguageModelV4Message[],
  options: SummarizationOptions,
): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  let elapsed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (elapsed += 10));
  class Channel {
    readonly port1: { onmessage?: () => void; readonly close: () => void } = { close: () => {} };
    readonly port2 = {
      postMessage: () => {
        const stack = new Error('rest').stack ?? '';
        const [file] = stack.match(/(?<=\/src\/)(?!util\/async\/)[\w/-]+\.ts/) ?? [];
        if (file !== undefined) files.add(file);
        // Thousands of rests; nobody else is there to be let in.
        queueMicrotask(() => this.port1.onmessage?.());
      },
    };
  }
  vi.stubGlobal('MessageChannel', Channel);
  const model = wrapLanguageModel({
    model: chatModel(),
    middleware: summarizationMiddleware({ minMessages: 1, ...options }),
  });
  await model.doGenerate({ prompt });
  return files;
}

describe('a call with very many messages lets others have a turn', () => {
  it.each<[string, LanguageModelV4Message[], SummarizationOptions, readonly string[]]>([
    ['sent as it is', messages, { contextLength: 10_000_000 }, ['call/read-call.ts']],
    [
      'cut without a summary',
      steps,
      { contextLength: 20_000, strategy: 'none' },
      [
        'call/read-call.ts',
        'sizing/count-call.ts',
        'tokens/message-counter.ts',
        'selection/conversation-view.ts',
        'selection/legal-cuts.ts',
        'identity/conversation-identity.ts',
        'composing/compose-prompt.ts',

        'fitting/shorter-prompts.ts',

        // What the shortest forms are made of.
        'fitting/condense-tool-results.ts',
      ],
    ],
  ])('%s', async (_, prompt, options, expected) => {
    const files = await filesThatRest(prompt, options);
    for (const file of expected) expect(files).toContain(file);
  });
});
