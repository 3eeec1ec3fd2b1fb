import { generateText } from 'ai';
import { expect, it } from 'vitest';
import { chat } from '../../support/messages.ts';
import { quiet } from '../../support/quiet.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { fitting, lastSummary, send, summarizerThat } from '../../support/waiting.ts';
import { secret } from './processes.ts';

const providerOptions = { summarization: { force: true } };
/** What no other summary will do for. */
const toOrder = { summarization: { force: true, instructions: 'Look to the rivers.' } };

it('a summary to order goes on from one that is being saved', async () => {
  const saving = Promise.withResolvers<void>();
  const store = sharedStore().open(({ compareAndSet }) => ({
    compareAndSet: async (...given) => {
      if (made.events.some(({ type }) => type === 'end')) await saving.promise;
      return compareAndSet(...given);
    },
  }));
  const made = setUp({ ...fitting, store, secret });
  const user = new AbortController();
  const run = send(made, { abortSignal: user.signal });
  while (!made.events.some(({ type }) => type === 'end')) await quiet();
  user.abort();
  await quiet();
  expect(run.outcome).toBe('failed');
  const messages = [...chat(25)];
  const asked = generateText({ model: made.model, messages, providerOptions: toOrder });
  await quiet();
  expect(made.summarizer.doGenerateCalls).toHaveLength(1);
  saving.resolve();
  await asked;
  expect(made.summarizer.doGenerateCalls).toHaveLength(2);
  expect(made.events.findLast(({ type }) => type === 'end')).toMatchObject({ depth: 1 });
});

it('a call that waits for what is being saved ends as soon as it is aborted', async () => {
  const store = sharedStore().open(({ compareAndSet }) => ({
    compareAndSet: async (...given) =>
      made.events.some(({ type }) => type === 'end')
        ? new Promise(() => {})
        : compareAndSet(...given),
  }));
  const made = setUp({ ...fitting, store, secret, storeTimeoutMs: 100_000 });
  const first = send(made);
  while (!made.events.some(({ type }) => type === 'end')) await quiet();
  const user = new AbortController();
  const asked = generateText({
    model: made.model,
    messages: [...chat(25)],
    providerOptions: toOrder,
    abortSignal: user.signal,
  });
  await quiet();
  user.abort(new Error('The user closed the tab.'));
  await expect(asked).rejects.toThrow('The user closed the tab.');
  expect(first.outcome).toBeUndefined();
  expect(made.summarizer.doGenerateCalls).toHaveLength(1);
});

it('a call waits for the summary that another one has asked for', async () => {
  const writing = Promise.withResolvers<void>();
  const summarizer = summarizerThat(async () => writing.promise);
  const made = setUp(fitting, { summarizer });
  const first = generateText({ model: made.model, messages: [...chat(13)], providerOptions });
  while (summarizer.doGenerateCalls.length === 0) await quiet();
  const second = send(made, { messages: chat(25) });
  await quiet();
  writing.resolve();
  await first;
  while (second.outcome === undefined) await quiet();
  expect(summarizer.doGenerateCalls).toHaveLength(1);
  expect(lastSummary(made)).toBeDefined();
});

it('who asks for a summary gets the one that is being written, or goes on from it', async () => {
  const writing = Promise.withResolvers<void>();
  const summarizer = summarizerThat(async () => writing.promise);
  const made = setUp(fitting, { summarizer });
  const first = send(made);
  while (summarizer.doGenerateCalls.length === 0) await quiet();
  const messages = [...chat(19)];
  const asked = generateText({ model: made.model, messages, providerOptions });
  await quiet();
  expect(summarizer.doGenerateCalls).toHaveLength(1);
  const ordered = generateText({ model: made.model, messages, providerOptions: toOrder });
  await quiet();
  expect(summarizer.doGenerateCalls).toHaveLength(1);
  writing.resolve();
  await Promise.all([asked, ordered]);
  while (first.outcome === undefined) await quiet();
  expect(summarizer.doGenerateCalls).toHaveLength(2);
});
