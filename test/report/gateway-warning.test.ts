import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { llmStrategy, type SummarizationOptions } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const messages = chat(19);

beforeEach(() => {
  for (const name of ['AI_GATEWAY_API_KEY', 'VERCEL_OIDC_TOKEN']) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** The warnings of a call whose summary the options' models are to write, and whether there is one. */
async function warningsWith(options: SummarizationOptions): Promise<readonly string[]> {
  const { inner, model } = setUp(options);
  const { warnings } = await generateText({ model, instructions: 'Be brief.', messages });
  expect(summaryOf(lastPrompt(inner))).toBeDefined();
  return warnings?.map((warning) => ('message' in warning ? warning.message : '')) ?? [];
}

describe('a summarising model that is given as a string', () => {
  it.each<[string, string, SummarizationOptions]>([
    ['as an option', 'vendor/one', { summarizerModelPreference: 'vendor/one' }],
    ['of a strategy', 'vendor/two', { strategy: llmStrategy({ models: ['vendor/two'] }) }],
  ])('is said to go through the gateway when it fails, %s', async (_, id, options) => {
    const [warning, ...others] = await warningsWith(options);
    expect(warning).toContain(`The summarising model '${id}' could not be used`);
    expect(warning).toMatch(/Vercel AI Gateway.*AI_GATEWAY_API_KEY.*openai\('gpt-5-nano'\)/);
    expect(others).toEqual([]);
    expect(await warningsWith(options)).toEqual([]);
  });

  it('is not warned of for a prompt that is too long, which is made shorter', async () => {
    const summarizer = new MockLanguageModelV4({
      provider: 'gateway',
      modelId: 'vendor/three',
      doGenerate: async () => {
        throw new Error("This model's maximum context length is 400 tokens.");
      },
    });
    expect(await warningsWith({ summarizerModelPreference: summarizer })).toEqual([]);
  });
});
