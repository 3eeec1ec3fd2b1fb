import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  ruleBasedStrategy,
  type SummarizationOptions,
  type ToolExtractor,
} from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { lastPrompt, shapeOf, summaryJson, summaryOf, textOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const broken = (): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    modelId: 'summarizer',
    doGenerate: async () => {
      throw new Error('ECONNRESET');
    },
  });

/** An agent that was told a rule and then read many files. */
function agentHistory(steps: number): ModelMessage[] {
  return [
    user('Never touch package-lock.json. Find the bug in src/parser.ts.'),
    ...Array.from({ length: steps }, (_, index) =>
      toolStep(`call_${index}`, words(index, 60)),
    ).flat(),
  ];
}

describe("the strategy 'rule-based'", () => {
  it.each(['rule-based', 'heuristic'] as const)(
    'summarises without a model: %s',
    async (strategy) => {
      const { inner, summarizer, events, model } = setUp({ strategy, contextLength: 3000 });
      await generateText({ model, messages: agentHistory(26) });
      expect(summarizer.doGenerateCalls).toHaveLength(0);
      expect(shapeOf(lastPrompt(inner))).toMatch(/^Su(at)+$/);
      expect(summaryJson(lastPrompt(inner))['userWords']).toEqual([
        'Never touch package-lock.json. Find the bug in src/parser.ts.',
      ]);
      expect(summaryJson(lastPrompt(inner))['constraints']).toBeUndefined();
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'end', strategy: 'rule-based', degraded: false }),
      );
    },
  );

  it('carries on from its own record for many generations under the limit', async () => {
    const { inner, events, model } = setUp({ strategy: 'rule-based', contextLength: 2000 });
    const history: ModelMessage[] = [user('Always answer in French. Start.')];
    for (let turn = 0; turn < 160; turn += 1) {
      await generateText({ model, messages: history });
      history.push(
        assistant(`Answer ${turn}: ${words(turn, 30)}`),
        user(`Question ${turn}: ${words(turn, 30)}`),
      );
    }
    const made = events.filter(({ type }) => type === 'end');
    expect(made.length).toBeGreaterThan(4);
    expect(JSON.stringify(summaryJson(lastPrompt(inner))['userWords'])).toMatch(
      /^\["Always answer in French\. Start\./,
    );
    const ratios = events.flatMap((event) => (event.type === 'applied' ? [event.ratio] : []));
    expect(Math.max(...ratios)).toBeLessThan(1);
  });
});

describe('the fallback of every other strategy', () => {
  it('writes a degraded record when the summarising model cannot be reached', async () => {
    // It does not fit: else the model would write for the next call.
    const { inner, events, model } = setUp({ contextLength: 2000 }, { summarizer: broken() });
    await generateText({ model, messages: agentHistory(26) });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'fallback',
        from: 'llm',
        to: 'rule-based',
        reason: 'transport',
      }),
    );
    expect(summaryOf(lastPrompt(inner))).toContain('Never touch package-lock.json.');
    const { providerMetadata } = await generateText({ model, messages: agentHistory(26) });
    expect(providerMetadata?.['summarization']).toMatchObject({ degraded: true });
  });

  it('is not used when a failure shall be an error', async () => {
    const { model } = setUp({ abortOnFailure: true }, { summarizer: broken() });
    await expect(generateText({ model, messages: chat(19) })).rejects.toMatchObject({
      reason: 'transport',
    });
  });
});

describe('a pinned message', () => {
  it('stays word for word even when the rest has to be shortened to fit', async () => {
    const { inner, model } = setUp({ strategy: 'none', contextLength: 2000, preserveRecent: 2 });
    const history = [
      user('Read.'),
      ...toolStep('a', words(1, 900)),
      ...toolStep('b', words(2, 2500)),
      user('So?'),
    ];
    await generateText({
      model,
      messages: history,
      providerOptions: { summarization: { pin: [2] } },
    });
    const sent = lastPrompt(inner).map(textOf);
    expect(sent[2]).toBe(JSON.stringify(words(1, 900)));
    expect(sent[4]).not.toBe(JSON.stringify(words(2, 2500)));
  });
});

describe('condenseToolResults', () => {
  const bigSteps = [
    user('Read it all.'),
    ...toolStep('a', words(1, 2400)),
    ...toolStep('b', words(2, 100)),
    ...chat(10, 5),
  ];

  it('makes room without paying for a summary', async () => {
    const { inner, summarizer, events, model } = setUp({
      condenseToolResults: true,
      contextLength: 3000,
    });
    await generateText({ model, messages: [...bigSteps.slice(0, -1), user('And?')] });
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'skipped', reason: 'condensed' }),
    );
    const texts = lastPrompt(inner).map(textOf);
    expect(texts).toHaveLength(bigSteps.length);
    expect(texts[2]).toMatch(/^"\[✓ read_file: .*src\/a\.ts/);
  });

  it('is off by default, and a summary is made when it is not enough', async () => {
    const off = setUp({ contextLength: 3000 });
    await generateText({ model: off.model, messages: bigSteps });
    expect(off.summarizer.doGenerateCalls).toHaveLength(1);
    const tooMuch = setUp({ condenseToolResults: true });
    await generateText({ model: tooMuch.model, messages: chat(19) });
    expect(tooMuch.summarizer.doGenerateCalls).toHaveLength(1);
  });
});

describe("the caller's extractors", () => {
  // What room there is goes to the newer one.
  const history = [
    user('Read them.'),
    ...toolStep('a', words(1, 2500)),
    ...toolStep('b', words(2, 2500)),
    ...chat(11, 5),
  ];
  const kept: ToolExtractor = ({ toolName }) => ({
    toolName,
    status: 'success',
    keyFacts: ['Kept: 42'],
    metadata: {},
  });
  const using = (extractor: ToolExtractor): SummarizationOptions['fallbackStrategy'] =>
    ruleBasedStrategy({ extractors: { read_file: extractor } });
  const choices: readonly [string, (extractor: ToolExtractor) => SummarizationOptions][] = [
    [
      'condenseToolResults',
      (each) => ({ condenseToolResults: true, fallbackStrategy: using(each) }),
    ],
    ['a prompt that does not fit', (each) => ({ strategy: 'none', fallbackStrategy: using(each) })],
  ];

  it.each(choices)('read tool results without a summary: %s', async (_name, options) => {
    const { inner, summarizer, model } = setUp({ contextLength: 2000, ...options(kept) });
    await generateText({ model, messages: history });
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(textOf(lastPrompt(inner)[2])).toBe('"[✓ read_file: Kept: 42]"');
  });

  it.each([
    ['undefined', () => undefined],
    ['a text', () => 'Kept: 42'],
    ['facts that are none', () => ({ toolName: 'x', status: 'success', keyFacts: [42] })],
    ['a status that is none', () => ({ toolName: 'x', status: 'fine', keyFacts: [] })],
    ['a promise', async () => Promise.reject(new Error('no'))],
    [
      'an error',
      () => {
        throw new Error('no');
      },
    ],
  ])('count as none when they give %s', async (_name, extractor) => {
    for (const [, options] of choices) {
      const given = options(untyped(extractor));
      const { inner, events, model } = setUp({ contextLength: 2000, ...given });
      // Each set-up is asked on its own.
      await generateText({ model, messages: history });
      expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
      expect(textOf(lastPrompt(inner)[2])).toMatch(/^"\[✓ read_file: .*src\/a\.ts/);
    }
  });
});
