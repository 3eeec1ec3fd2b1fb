import { generateText, simulateReadableStream, streamText, type ModelMessage } from 'ai';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SummarizationEvent, SummarizationOptions } from '../../src/index.ts';
import { loadTextCounter } from '../../src/tokens/text/load-text-counter.ts';
import { chat } from '../support/messages.ts';
import { chatModel, textParts, textResult } from '../support/models.ts';
import { setUp } from '../support/set-up.ts';

/** A model that reports a number of input tokens. */
function reportingModel(total: number | undefined) {
  const inner = chatModel();
  const { usage: empty, ...result } = textResult('Understood.');
  const usage = { ...empty, inputTokens: { ...empty.inputTokens, total } };
  inner.doGenerate = async () => ({ ...result, usage });
  inner.doStream = async () => ({
    stream: simulateReadableStream({
      chunks: textParts('Understood.').map((part) =>
        part.type === 'finish' ? { ...part, usage } : part,
      ),
    }),
  });
  return inner;
}

async function warningsOf(
  total: number | undefined,
  messages: ModelMessage[],
  options: SummarizationOptions = {},
  providerOptions = {},
): Promise<SummarizationEvent[]> {
  const { model, events } = setUp(
    { contextLength: 100_000, strategy: 'none', ...options },
    { inner: reportingModel(total) },
  );
  await generateText({ model, messages, providerOptions });
  await streamText({ model, messages, providerOptions }).consumeStream();
  // An exact count comes after the answer; the tokenizer is there already.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return events.filter((event) => event.type === 'warning');
}

// About 6,000 tokens and 41,000 bytes; above the trigger of a context of 7,000, below that of 100,000.
const messages = chat(61, 90);
const exact: SummarizationOptions = { contextLength: 7000, triggerTokenRatio: 0.5 };

beforeAll(loadTextCounter);

describe('a provider that reports far fewer tokens than were sent', () => {
  it.each([
    ['exact figures', exact],
    ['bounds', {}],
  ])('is warned of once for a model, with %s', async (_what, options) => {
    const warnings = await warningsOf(1026, messages, options);
    expect(warnings).toMatchObject([{ code: 'silent-truncation', modelId: 'test-model' }]);
    expect(warnings[0]).toMatchObject({
      message: expect.stringMatching(/1026 input tokens of about 5981 /),
    });
  });

  it.each([
    ['half of them', 3200, messages, exact],
    ['as many as it was sent', 6000, messages, {}],
    ['none', 0, messages, exact],
    ['nothing', undefined, messages, exact],
    ['few of few', 100, chat(15), { contextLength: 1000 }],
  ])('is not one that reports %s', async (_what, total, sent, options) => {
    expect(await warningsOf(total, sent, options)).toEqual([]);
  });

  it('is not one that was sent a file, whose tokens are its own affair', async () => {
    const image = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const file: ModelMessage = {
      role: 'user',
      content: [{ type: 'file', data: image, mediaType: 'image/png' }],
    };
    expect(await warningsOf(1026, [...messages, file], exact)).toEqual([]);
  });

  it('is not one that manages the history itself', async () => {
    const providerOptions = { openai: { truncation: 'auto' } };
    expect(await warningsOf(1026, messages, {}, providerOptions)).toEqual([]);
  });
});
