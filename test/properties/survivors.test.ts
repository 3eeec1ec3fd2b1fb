import { generateText, streamText } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { answer, summarizerModel, textResult } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryOf } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { turns } from '../support/until.ts';
import { fitting, history, tooSmall } from '../support/waiting.ts';
import { checkProperty } from './rig/check-property.ts';
import { unhandledRejections } from './rig/unhandled-rejections.ts';

/** Some turns of the event loop, and some continuations in the one that follows. */
const moments = fc.record({
  turns: fc.integer({ min: 0, max: 60 }),
  continuations: fc.integer({ min: 0, max: 40 }),
});
type Moment = typeof moments extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** How requests of a conversation are made, when they come, and when they are aborted, if they are. */
const requests = (abortedAt: fc.Arbitrary<Moment | undefined>) =>
  fc.record({ streams: fc.boolean(), comesAfter: fc.integer({ min: 0, max: 4 }), abortedAt });
type Request = ReturnType<typeof requests> extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** A summarizing model that takes some turns of the event loop to answer. */
function slowSummarizer(slowness: number): MockLanguageModelV4 {
  return summarizerModel(async () => {
    await turns(slowness);
    return textResult(answer({ summary: 'They spoke of rivers.' }));
  });
}

async function send({ model }: SetUp, request: Request): Promise<string> {
  const { streams, comesAfter, abortedAt } = request;
  await turns(comesAfter);
  const controller = new AbortController();
  const { signal: abortSignal } = controller;
  const abort = async (moment: Moment): Promise<void> => {
    await turns(moment.turns);
    for (let made = 0; made < moment.continuations; made += 1) await Promise.resolve();
    controller.abort(new Error('The user closed the tab.'));
  };
  if (abortedAt !== undefined) void abort(abortedAt);
  const call = { model, messages: [...history], abortSignal };
  try {
    if (!streams) return (await generateText(call)).text;
    return await streamText({ ...call, onError: () => {} }).text;
  } catch (error) {
    if (abortedAt !== undefined && abortSignal.aborted) return 'aborted';
    throw error;
  }
}

it('requests that share a summary are answered with it, whenever those beside them are aborted, and pay once', async () => {
  await checkProperty(
    fc.asyncProperty(
      fc.constantFrom(fitting, tooSmall),
      fc.integer({ min: 0, max: 40 }),
      fc.array(requests(fc.constant(undefined)), { minLength: 1, maxLength: 3 }),
      // Of those that leave one after another, the third hurries the summary.
      fc.array(requests(moments), { minLength: 1, maxLength: 2 }),
      async (options, slowness, survivors, aborted) => {
        const made = setUp(options, { summarizer: slowSummarizer(slowness) });
        const reported = await unhandledRejections(async () => {
          const [answers] = await Promise.all([
            Promise.all(survivors.map(async (request) => send(made, request))),
            Promise.all(aborted.map(async (request) => send(made, request))),
          ]);
          expect(new Set(answers)).toEqual(new Set(['Understood.']));
        });
        expect(reported).toEqual([]);
        const sent = new Set(promptsOf(made.inner).map((prompt) => JSON.stringify(prompt)));
        expect(sent.size).toBe(1);
        expect(summaryOf(lastPrompt(made.inner))).toContain('rivers');
        expect(made.summarizer.doGenerateCalls).toHaveLength(1);
      },
    ),
  );
});
