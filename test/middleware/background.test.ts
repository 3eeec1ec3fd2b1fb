import { generateText, streamText, type ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SummarizationOptions } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { lastPrompt, promptsOf, summaryOf } from '../support/prompts.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { sharedStore } from '../support/shared-store.ts';
import { elapse, stopClock } from '../support/still-clock.ts';
import { turns, until } from '../support/until.ts';
import { hang, lastSummary, send, summarizerThat, take, tooSmall } from '../support/waiting.ts';

/** A context of which the chat takes less than `resetTokenRatio`, less than the trigger, and more. */
const options = { contextLength: 1050, background: true } satisfies SummarizationOptions;
const below = chat(13);
const soon = chat(15);
const due = chat(17);
const later = chat(19);

/** Lets what goes on beside the calls come to its end, as far as no time has to pass for it. */
const settled = async (): Promise<void> => turns(200);

/** Sends a call; its answer comes without any time passing. */
async function sendNow(made: SetUp, messages: readonly ModelMessage[]): Promise<void> {
  const run = send(made, { messages });
  await until(() => run.outcome !== undefined);
  expect(run.outcome).toBe('answered');
  await settled();
}

beforeEach(async () => {
  // Loads what loads on demand, which no fake clock waits for.
  await generateText({ model: setUp(tooSmall).model, messages: due });
  const made = setUp(options);
  for (const messages of [soon, due]) await generateText({ model: made.model, messages });
  stopClock();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a summary that is prepared', () => {
  it('is begun at resetTokenRatio, and stands in the prompt from the trigger on', async () => {
    const made = setUp(options, { summarizer: summarizerThat(take(900)) });
    await sendNow(made, below);
    expect(made.summarizer.doGenerateCalls).toHaveLength(0);
    await sendNow(made, soon);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
    await elapse(900);
    await settled();
    await sendNow(made, soon);
    expect(lastPrompt(made.inner)).toHaveLength(soon.length);
    await sendNow(made, due);
    const inPlace = lastPrompt(made.inner);
    expect(summaryOf(inPlace)).toContain('rivers');
    await sendNow(made, later);
    expect(lastPrompt(made.inner).slice(0, inPlace.length)).toEqual(inPlace);
    expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  });
});
