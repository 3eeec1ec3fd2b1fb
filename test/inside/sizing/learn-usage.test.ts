import type { LanguageModelV4FinishReason } from '@ai-sdk/provider';
import { describe, expect, it, vi } from 'vitest';
import { learnUsage, type LearningCall } from '../../../src/sizing/learn-usage.ts';
import type { ReportedUsage, UsageScope } from '../../../src/sizing/usage-memory.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { scanPrompt, type PromptScan } from '../../../src/tokens/scan-prompt.ts';
import { runAtOnce } from '../../../src/util/async/run-steps.ts';
import { assistant, call, system, user } from '../../support/prompt-messages.ts';

// 612 characters, of which each token holds six at the most: 102 tokens.
const prompt = [system('You are kind'), user('a'.repeat(600))];
const params = { prompt };
const scan = runAtOnce(scanPrompt(params, 'openai'));
const record = buildRecord(
  {
    key: 'f'.repeat(64),
    depth: 0,
    coveredMessages: 0,
    prefixDigest: 'a'.repeat(16),
    strategy: 'llm',
    degraded: false,
    inputTokens: 100,
  },
  emptyContent('They spoke of rivers.'),
  50,
);
const stop: LanguageModelV4FinishReason = { unified: 'stop', raw: undefined };

/** What is learned of a prompt of 612 characters, by name, in the order in which it is. */
async function learned(
  inputTokens: number | undefined,
  more: Partial<LearningCall> & { readonly isRemembered?: boolean } = {},
  finishReason = stop,
) {
  const found: { what: string; given: readonly unknown[] }[] = [];
  const note =
    (what: string) =>
    (...given: readonly unknown[]): void => {
      found.push({ what, given });
    };
  const rates = { multiplier: 1.2, least: 0.5, hidden: 0 };
  const { isRemembered = true, ...changed } = more;
  await learnUsage(
    {
      params,
      model: { provider: 'openai.chat', modelId: 'gpt-5' },
      modelKey: 'openai:gpt-5',
      memory: {
        usage: {
          remember: (given: PromptScan, scope: UsageScope, usage: ReportedUsage) => {
            note('usage')(given, scope, usage);
            return isRemembered;
          },
        },
        hidden: { learn: note('hidden') },
        limits: { accept: note('limit') },
      },
      calibration: {
        given: undefined,
        start: 1.2,
        rates: () => rates,
        load: async () => rates,
        learn: note('factor'),
      },
      policy: { limit: 1000 },
      composition: undefined,
      scan,
      size: { measuredBy: 'bound' },
      counted: { prompt, tokens: undefined },
      ...changed,
    },
    {
      usage: {
        inputTokens: {
          total: inputTokens,
          noCache: undefined,
          cacheRead: undefined,
          cacheWrite: undefined,
        },
        outputTokens: { total: 7, text: undefined, reasoning: 3 },
      },
      finishReason,
      characters: 40,
    },
  );
  return found;
}

async function names(...given: Parameters<typeof learned>): Promise<string[]> {
  return (await learned(...given)).map(({ what }) => what);
}

describe('learnUsage', () => {
  it('files what was reported under the model and the record', async () => {
    const usage = { inputTokens: 150, outputTokens: 7, reasoningTokens: 3, answerCharacters: 40 };
    expect(await learned(150, { composition: { record } })).toEqual([
      {
        what: 'usage',
        given: [scan, { model: 'openai:gpt-5', recordId: record.id }, usage],
      },
      { what: 'limit', given: ['openai:gpt-5', 150] },
      { what: 'hidden', given: ['openai:gpt-5', 99] },
    ]);
    const [first] = await learned(150);
    expect(first?.given[0]).toBe(scan);
    expect(first?.given[1]).toEqual({ model: 'openai:gpt-5', recordId: undefined });
  });

  it('learns the factor from what was counted', async () => {
    const texts = 130 - scan.frames;
    expect(texts).toBeLessThan(130);
    expect((await learned(150, { counted: { prompt, tokens: 130 } })).slice(1)).toEqual([
      { what: 'limit', given: ['openai:gpt-5', 150] },
      { what: 'factor', given: [{ counted: 130, reported: 150 }] },
      { what: 'hidden', given: ['openai:gpt-5', 150 - texts / 2] },
    ]);
  });

  it.each<[string, number | undefined, Parameters<typeof learned>[1], readonly string[]]>([
    ['nothing where nothing was reported', undefined, {}, []],
    ['nothing where as much is hidden as there is room', 1051, {}, []],
    ['all where a little less is hidden', 1050, {}, ['usage', 'limit', 'hidden']],
    ['nothing of a prompt that was cut', 150, { isRemembered: false }, ['usage']],
    [
      'the factor too where the prompt was counted',
      150,
      { counted: { prompt, tokens: 130 }, size: { measuredBy: 'usage' } },
      ['usage', 'limit', 'factor', 'hidden'],
    ],
    [
      'no factor where another prompt was counted',
      150,
      { counted: { prompt: [...prompt], tokens: 130 } },
      ['usage', 'limit', 'hidden'],
    ],
    [
      'nothing hidden where only what was new was counted',
      150,
      { size: { measuredBy: 'usage' } },
      ['usage', 'limit'],
    ],
  ])('learns %s', async (_what, inputTokens, more, expected) => {
    expect(await names(inputTokens, more)).toEqual(expected);
  });

  it.each<[LanguageModelV4FinishReason['unified'], number]>([
    ['error', 0],
    ['length', 3],
    ['other', 3],
  ])('learns of an answer that ended with %s %i things', async (unified, count) => {
    expect(await names(150, {}, { unified, raw: undefined })).toHaveLength(count);
  });

  it('reads a large prompt that was rewritten in slices', async () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 9));
    const rest = vi.spyOn(globalThis, 'MessageChannel');
    const input = Array.from({ length: 100_000 }, () => 1);
    await learned(150, { params: { prompt: [assistant('', call('1', { input }))] } });
    expect(rest.mock.calls.length).toBeGreaterThan(90);
    vi.restoreAllMocks();
  });

  it('looks anew at a prompt that was rewritten since it was measured', async () => {
    const other = runAtOnce(scanPrompt({ prompt: [user('Hi')] }, 'openai'));
    const [first, , hidden] = await learned(150, { scan: other });
    expect(first?.given[0]).toEqual(scan);
    expect(hidden?.given).toEqual(['openai:gpt-5', 99]);
  });
});
