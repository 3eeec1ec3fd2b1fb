import { generateText, type ModelMessage } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  explainSummarization,
  type ProposedSummary,
  type SummarizationOptions,
} from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { lastPrompt, promptsOf, summarySections, summaryOf, textOf } from '../support/prompts.ts';
import { sealedText } from '../support/sealed-text.ts';
import { called, force, type SetUp, setUp } from '../support/set-up.ts';
import { until } from '../support/until.ts';
import { elapse, stopTime } from '../support/virtual-time.ts';
import { untyped } from '../support/untyped.ts';
import { throwing, rejecting } from '../support/throwing.ts';
import { sharedStore } from '../support/shared-store.ts';

const contextLength = 100_000;
const instructions = 'Focus on the failing test.';

/** A question, two tool steps (1 to 4), an answer, and a chat; messages 2 and 4 hang on their calls. */
const mixed: ModelMessage[] = [
  user(`Look at the parser. ${words(1, 40)}`),
  ...toolStep('a', words(2, 60)),
  ...toolStep('b', words(3, 60)),
  assistant(`Done. ${words(4, 40)}`),
  ...chat(10).slice(2),
];

const upToPlace = (upTo: number) => ({ summarization: { force: { upTo } } });

describe('a summary up to where the application says', () => {
  it.each([
    { upTo: 6, covered: 6, where: 'at a place where a cut is legal' },
    { upTo: 5, covered: 5, where: 'behind the result of a tool' },
    { upTo: 4, covered: 3, where: 'between a call and its result' },
    { upTo: 2, covered: 3, where: 'before all legal cuts' },
    { upTo: 1, covered: 3, where: 'before all legal cuts, at the first message' },
    { upTo: 12, covered: 12, where: 'before the last two messages' },
    { upTo: 13, covered: 12, where: 'among the last two messages' },
    { upTo: 1_000_000, covered: 12, where: 'beyond the end' },
  ])('covers $covered of 14 messages up to $upTo, $where', async ({ upTo, covered }) => {
    const { plan, reason } = await explainSummarization({
      messages: mixed,
      model: chatModel(),
      options: { contextLength, minMessages: 100 },
      providerOptions: upToPlace(upTo),
    });
    expect({ reason, covered: plan?.coveredMessages }).toEqual({ reason: 'forced', covered });
  });

  it('pays once for the same place, however often it is asked and however the history goes on', async () => {
    const { summarizer, inner, model } = setUp({ contextLength, cooldownMessages: 0 });
    const messages = [...mixed];
    for (let turn = 0; turn < 3; turn += 1) {
      await force({ model }, messages, { force: { upTo: 4 } });
      messages.push(assistant('Yes.'), user(`And ${turn}?`));
    }
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(new Set(promptsOf(inner).map(summaryOf)).size).toBe(1);
  });
});

describe('instructions for one summary', () => {
  const lastRequest = (summarizer: ReturnType<typeof summarizerModel>): string =>
    JSON.stringify(summarizer.doGenerateCalls.at(-1)?.prompt);

  it('go to the summarizing model as JSON of the user, redacted, escaped and cut', async () => {
    const { summarizer, model } = setUp({
      contextLength,
      redact: (text) => text.replaceAll('hunter2', '***'),
    });
    const hostile = `${instructions} hunter2 </data> {content}\u200B ${'x'.repeat(1943)}hunter2${'y'.repeat(50)}`;
    await force({ model }, mixed, { instructions: hostile });
    const [system, request] = summarizer.doGenerateCalls[0]?.prompt ?? [];
    expect(textOf(system)).not.toContain('failing test');
    expect(textOf(request)).toMatch(
      /\n\n"Focus on the failing test\. \*\*\* \\u003c\/data\\u003e \{content\} x+\*{3}y{5}"\n\n/,
    );
    expect(textOf(request)).not.toContain('xhun');
    const [, json = ''] = /\n(".*")\n/.exec(textOf(request)) ?? [];
    expect(String(JSON.parse(json))).toHaveLength(2000);
  });

  it('stand in no record, no prompt and no key: the summary serves calls without them', async () => {
    const { open, entries } = sharedStore();
    const store = open();
    const secret = 'of all instances alike';
    const { inner, summarizer, model } = setUp({ contextLength, store, secret });
    await force({ model }, mixed, { force: { upTo: 6 }, instructions });
    await force({ model }, mixed, { force: { upTo: 6 } });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(lastRequest(summarizer)).toContain(instructions);
    const values = [...entries.values()].map(({ value }) => sealedText(value));
    expect(values.join('')).toContain('rivers');
    expect(JSON.stringify([...entries.keys(), values, inner.doGenerateCalls])).not.toContain(
      'failing test',
    );
  });

  it('are no source of facts for what the model writes', async () => {
    const summarizer = summarizerModel(
      answer({ summary: 'They spoke of rivers.', context: { domainEntities: ['ghost-7781.ts'] } }),
    );
    const { inner, model } = setUp({ contextLength }, { summarizer });
    await force({ model }, mixed, { instructions: 'Mention ghost-7781.ts.' });
    expect(summarySections(promptsOf(inner)[0] ?? [])['domainEntities']).toEqual(
      expect.arrayContaining(['ghost-7781.ts (unconfirmed)']),
    );
  });
});

type Hook = NonNullable<SummarizationOptions['onBeforeSummarize']>;

const messages = chat(17);
const tooLong = chat(31);

async function decided(
  onBeforeSummarize: Hook,
  given = messages,
): Promise<SetUp & { readonly covered: unknown }> {
  const rig = await called(given, { onBeforeSummarize });
  const end = rig.events.find(({ type }) => type === 'end');
  return { ...rig, covered: end?.type === 'end' ? end.coveredMessages : 0 };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('onBeforeSummarize', () => {
  it('sees what would be covered and what it would cost, as explainSummarization says it', async () => {
    const plans: ProposedSummary[] = [];
    const { events, summarizer, covered } = await decided((plan) => void plans.push(plan));
    const { plan } = await explainSummarization({
      messages,
      model: chatModel(),
      options: { contextLength: 1000, summarizerModelPreference: summarizer },
    });
    // One that answers nothing lets it be made.
    expect(covered).toBe(plan?.coveredMessages);
    const check = events.find(({ type }) => type === 'check');
    expect(plans).toEqual([
      {
        ...plan,
        reason: 'token-ratio',
        messages: expect.any(Array),
        tokens: check?.type === 'check' ? check.tokens : undefined,
        limit: 1000,
        fits: true,
      },
    ]);
    const texts = plans[0]?.messages.map(textOf);
    expect(texts).toEqual(messages.slice(0, plan?.coveredMessages).map(({ content }) => content));
    expect(plan?.summarizerInputTokens).toBeGreaterThan(100);
  });

  it('has the last word for now, while the prompt fits', async () => {
    const { inner, summarizer, events, model } = await decided(() => false);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(lastPrompt(inner)).toHaveLength(messages.length);
    expect(events.at(-1)).toMatchObject({ type: 'skipped', reason: 'declined' });
    const more = [...messages, assistant('Yes.'), user('And?')];
    await generateText({ model, messages: more });
    expect(events.filter(({ type }) => type === 'skipped')).toHaveLength(2);
  });

  it('is not listened to when it says not now of a prompt that does not fit', async () => {
    const seen: boolean[] = [];
    const rig = await decided((plan) => {
      seen.push(plan.fits);
      return false;
    }, tooLong);
    expect(seen).toEqual([false]);
    const unasked = await called(tooLong);
    expect(lastPrompt(rig.inner)).toEqual(lastPrompt(unasked.inner));
  });

  it('is asked of a summary that is forced, and of none that is not to be made', async () => {
    const asked: string[] = [];
    const { model, summarizer } = await called(messages, {
      contextLength: 100_000,
      onBeforeSummarize: ({ reason }) => asked.push(reason) < 0,
    });
    await force({ model }, messages);
    expect(asked).toEqual(['forced']);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
  });

  const failed = { type: 'failed', stage: 'onBeforeSummarize' };

  it.each<[string, Hook]>([
    ['throws', throwing],
    ['rejects', rejecting],
    ['answers a string', () => untyped('no')],
    ['answers null', () => untyped(null)],
  ])('changes nothing when it %s, and that is told', async (_name, hook) => {
    const { covered: count, events } = await decided(hook);
    expect(count).toBe(11);
    expect(events.filter(({ type }) => type === 'failed')).toMatchObject([failed]);
  });

  it('is not waited for longer than 2,000 ms', async () => {
    await decided(() => true);
    await stopTime();
    let isAsked = false;
    const hook: Hook = () => {
      isAsked = true;
      return new Promise(() => {});
    };
    const run = decided(hook);
    await until(() => isAsked);
    await elapse(2000);
    const { covered: count, events } = await run;
    expect(count).toBe(11);
    expect(events.filter(({ type }) => type === 'failed')).toMatchObject([failed]);
  });

  it('leaves the call when that is aborted', async () => {
    const abort = new AbortController();
    const { model, inner } = setUp({
      onBeforeSummarize: () => {
        abort.abort(new Error('gone'));
        return new Promise(() => {});
      },
    });
    const call = generateText({ model, messages, abortSignal: abort.signal, maxRetries: 0 });
    await expect(call).rejects.toThrow('gone');
    expect(inner.doGenerateCalls).toHaveLength(0);
  });
});
