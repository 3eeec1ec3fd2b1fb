import { APICallError } from '@ai-sdk/provider';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { answer, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const messages = chat(19);

/** A summarising model that refuses every call. */
function refusing(modelId: string, error: unknown): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: 'vendor',
    modelId,
    doGenerate: async () => {
      throw error;
    },
  });
}

function unauthorised(): APICallError {
  return new APICallError({
    message: 'You asked about river 3. The key is wrong.',
    url: 'https://api.example.com',
    requestBodyValues: {},
    statusCode: 401,
    responseBody: '{"error":"river 3"}',
  });
}

/** The warnings of a call that has to be summarised. */
async function warningsWith(options: SummarizationOptions): Promise<readonly string[]> {
  const { inner, model } = setUp(options);
  const { warnings } = await generateText({ model, instructions: 'Be brief.', messages });
  expect(summaryOf(lastPrompt(inner))).toBeDefined();
  return warnings?.map((warning) => ('message' in warning ? warning.message : '')) ?? [];
}

describe('a summarising model that is given as an object', () => {
  it('is named in the warnings of the call when it fails, once a process, without any text', async () => {
    const options = { summarizerModelPreference: refusing('one', unauthorised()) };
    const [warning, ...others] = await warningsWith(options);
    expect(warning).toContain('The summarising model vendor:one could not be used (HTTP 401)');
    expect(warning).not.toContain('river');
    expect(others).toEqual([]);
    expect(await warningsWith(options)).toEqual([]);
  });

  it('is named by the class of its error where there is no status', async () => {
    const error = Object.assign(new TypeError('river 3'), { code: 'ENOTFOUND' });
    const [warning] = await warningsWith({ summarizerModelPreference: refusing('two', error) });
    expect(warning).toContain('vendor:two could not be used (TypeError ENOTFOUND)');
  });

  it('is named when another one wrote the summary in its place', async () => {
    const summarizerModelPreference = [
      refusing('three', unauthorised()),
      summarizerModel(answer({ summary: 'They spoke of rivers.' })),
    ];
    const warnings = await warningsWith({ summarizerModelPreference });
    expect(warnings).toMatchObject([expect.stringContaining('vendor:three')]);
  });

  it('is named when it answers with something else', async () => {
    const prose = summarizerModel('The river 3 is long.');
    Object.assign(prose, { modelId: 'of-prose' });
    const [warning] = await warningsWith({ summarizerModelPreference: prose });
    expect(warning).toMatch(/openai.responses:of-prose gave no usable summary \([^)]+\)/);
    expect(warning).not.toContain('river');
  });

  it('is not named when it answers the second time', async () => {
    let calls = 0;
    const flaky = new MockLanguageModelV4({
      provider: 'vendor',
      modelId: 'four',
      doGenerate: async () => {
        calls += 1;
        if (calls === 1) throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
        return textResult(answer({ summary: 'They spoke of rivers.' }));
      },
    });
    expect(await warningsWith({ summarizerModelPreference: flaky })).toEqual([]);
    expect(calls).toBe(2);
  });
});
