import { generateText, type ModelMessage, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { explainSummarization } from '../../../src/index.ts';
import { refusingModel } from '../../retry/refusing-model.ts';
import { chat } from '../../support/messages.ts';
import { apiError, chatModel } from '../../support/models.ts';
import { lastPrompt, summaryOf } from '../../support/prompts.ts';
import { setUp } from '../../support/set-up.ts';

const bytes = new Uint8Array(40_000);
bytes.set([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]);

/** Images as a user sends them and as a tool answers with them, among the last messages and among older ones. */
function historyWithImages(): ModelMessage[] {
  const image: ModelMessage = {
    role: 'user',
    content: [
      { type: 'text', text: 'What is on it?' },
      { type: 'image', image: bytes },
    ],
  };
  return [image, ...chat(20).slice(1), image];
}

/** What the model under the middleware would be sent without it. */
async function untouched(messages: ModelMessage[]) {
  const model = chatModel();
  await generateText({ model, messages });
  return lastPrompt(model);
}

describe('an image that is sent as bytes', () => {
  it('goes to the model as it does without the middleware, below the limit', async () => {
    const { inner, events, model } = setUp({ contextLength: 100_000 });
    const messages = historyWithImages();
    await generateText({ model, messages });
    expect(lastPrompt(inner)).toEqual(await untouched(messages));
    expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
  });

  it.each(['generate', 'stream'])(
    'goes to the model as it does without the middleware, beside a summary: %s',
    async (mode) => {
      const { inner, events, model } = setUp({ contextLength: 2000 });
      const messages = historyWithImages();
      if (mode === 'generate') await generateText({ model, messages });
      else await streamText({ model, messages }).text;
      const call = mode === 'generate' ? inner.doGenerateCalls[0] : inner.doStreamCalls[0];
      const prompt = call?.prompt ?? [];
      expect(summaryOf(prompt)).toContain('They spoke of rivers.');
      expect(prompt.at(-1)).toEqual((await untouched(messages)).at(-1));
      expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
    },
  );

  it('is counted as an image where a conversation is explained', async () => {
    const { model } = setUp();
    const messages = historyWithImages();
    const { tokens } = await explainSummarization({ model, messages });
    const { tokens: without } = await explainSummarization({ model, messages: chat(21) });
    expect(tokens - without).toBeLessThan(5000);
  });

  it('goes to the model again after a refusal, in the form of the SDK', async () => {
    const inner = refusingModel({
      throws: apiError('maximum context length is 1900 tokens, however you requested 4000 tokens'),
    });
    const { model } = setUp({ contextLength: 100_000 }, { inner });
    const messages = historyWithImages();
    await generateText({ model, messages, maxRetries: 0 });
    expect(inner.doGenerateCalls).toHaveLength(2);
    expect(lastPrompt(inner).at(-1)).toEqual((await untouched(messages)).at(-1));
  });
});

it('the summarizing model gets its instructions as a system message', async () => {
  const { summarizer, model } = setUp();
  await generateText({ model, messages: chat(21) });
  const [system, user] = summarizer.doGenerateCalls[0]?.prompt ?? [];
  expect(system?.role).toBe('system');
  expect(system?.content).toContain('summary');
  expect(user?.role).toBe('user');
});
