import { generateText } from 'ai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  explainSummarization,
  type ProposedSummary,
  type SummarizationOptions,
} from '../../src/index.ts';
import { assistant, chat, user } from '../support/messages.ts';
import { chatModel } from '../support/models.ts';
import { lastPrompt, summaryOf, textOf } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { elapse, stopClock } from '../support/still-clock.ts';
import { untyped } from '../support/untyped.ts';
import { until } from '../support/until.ts';

type Hook = NonNullable<SummarizationOptions['onBeforeSummarize']>;

const messages = chat(17);
const tooLong = chat(31);

async function covered(
  onBeforeSummarize: Hook,
  given = messages,
): Promise<SetUp & { readonly covered: unknown }> {
  const rig = setUp({ onBeforeSummarize });
  await generateText({ model: rig.model, messages: given });
  const end = rig.events.find(({ type }) => type === 'end');
  return { ...rig, covered: end?.type === 'end' ? end.coveredMessages : 0 };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('onBeforeSummarize', () => {
  it('sees what would be covered and what it would cost, as explainSummarization says it', async () => {
    const plans: ProposedSummary[] = [];
    const { events, summarizer } = await covered((plan) => void plans.push(plan));
    const { plan } = await explainSummarization({
      messages,
      model: chatModel(),
      options: { contextLength: 1000, summarizerModelPreference: summarizer },
    });
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
    const { inner, summarizer, events, model } = await covered(() => false);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(lastPrompt(inner)).toHaveLength(messages.length);
    expect(events.at(-1)).toMatchObject({ type: 'skipped', reason: 'declined' });
    const more = [...messages, assistant('Yes.'), user('And?')];
    await generateText({ model, messages: more });
    expect(events.filter(({ type }) => type === 'skipped')).toHaveLength(2);
  });

  it.each<[string, Hook]>([
    ['not now', () => false],
    ['less', () => ({ upTo: 2 })],
  ])('is not listened to when it says %s of a prompt that does not fit', async (_name, hook) => {
    const seen: boolean[] = [];
    const rig = await covered((plan) => {
      seen.push(plan.fits);
      return hook(plan);
    }, tooLong);
    expect(seen).toEqual([false]);
    const unasked = setUp();
    await generateText({ model: unasked.model, messages: tooLong });
    expect(lastPrompt(rig.inner)).toEqual(lastPrompt(unasked.inner));
  });

  it.each<[string, Hook, number]>([
    ['up to an index', () => ({ upTo: 6 }), 6],
    ['up to one later', async () => Promise.resolve({ upTo: 6 }), 6],
    ['before the first legal cut', () => ({ upTo: 1 }), 2],
    ['beyond what was planned', () => ({ upTo: 1000 }), 11],
    ['as planned: true', () => true, 11],
    ['as planned: nothing', () => undefined, 11],
  ])('summarises %s', async (_name, hook, expected) => {
    expect((await covered(hook)).covered).toBe(expected);
  });

  it('never says yes to what frees nothing', async () => {
    const tiny = [user('Hi.'), assistant('Hello.'), ...chat(15, 47)];
    const { summarizer, events } = await covered(() => ({ upTo: 2 }), tiny);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(events.at(-1)).toMatchObject({ type: 'skipped', reason: 'declined' });
  });

  it('is asked of a summary that is forced, and of none that is not to be made', async () => {
    const asked: string[] = [];
    const { model, summarizer } = setUp({
      contextLength: 100_000,
      onBeforeSummarize: ({ reason }) => asked.push(reason) < 0,
    });
    await generateText({ model, messages });
    await generateText({ model, messages, providerOptions: { summarization: { force: true } } });
    expect(asked).toEqual(['forced']);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
  });

  it('says in explainSummarization what it says in a call', async () => {
    const explain = (onBeforeSummarize: Hook) =>
      explainSummarization({
        messages,
        model: chatModel(),
        options: { contextLength: 1000, onBeforeSummarize },
      });
    expect(await explain(() => false)).toMatchObject({ act: 'none', reason: 'declined' });
    const { plan } = await explain(() => ({ upTo: 6 }));
    expect(plan).toMatchObject({ coveredMessages: 6, tailMessages: 11 });
  });

  const failed = { type: 'failed', stage: 'onBeforeSummarize' };

  it.each<[string, Hook]>([
    [
      'throws',
      () => {
        throw new Error('Down.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('Down.'))],
    ['answers a string', () => untyped('no')],
    ['answers null', () => untyped(null)],
    ['answers { upTo: 0 }', () => ({ upTo: 0 })],
    ['answers { upTo: NaN }', () => ({ upTo: Number.NaN })],
  ])('changes nothing when it %s, and that is told', async (_name, hook) => {
    const { covered: count, events } = await covered(hook);
    expect(count).toBe(11);
    expect(events.filter(({ type }) => type === 'failed')).toMatchObject([failed]);
  });

  it('is not waited for longer than 2,000 ms', async () => {
    await covered(() => true);
    stopClock();
    let isAsked = false;
    const hook: Hook = () => {
      isAsked = true;
      return new Promise(() => {});
    };
    const run = covered(hook);
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

  it('leaves the prompt without a summary as it was sent', async () => {
    const { inner } = await covered(() => false);
    expect(summaryOf(lastPrompt(inner))).toBeUndefined();
  });
});
