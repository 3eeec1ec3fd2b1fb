import { generateText } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storeKeyring } from '../../../../src/stores/seal/store-keys.ts';
import { chat } from '../../../support/messages.ts';
import { lastPrompt } from '../../../support/prompts.ts';
import { quiet } from '../../../support/quiet.ts';
import { sharedStore } from '../../../support/shared-store.ts';
import { until } from '../../../support/until.ts';
import { fakeClock, processes, refreshTime, secret } from '../../../middleware/state/processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(41, 15);
const [keys] = storeKeyring({ secret, namespace: '' });
const multiplier = keys.key('multiplier', 'openai.responses', 'gpt-test');

/** A process whose reads wait until the test lets all that were asked for at once be answered. */
function gated() {
  const made = processes();
  const store = sharedStore();
  const asked: string[] = [];
  let gate = Promise.withResolvers<void>();
  const { model, inner } = made.start(
    store.open(({ get }) => ({
      get: async (key) => {
        // What was learned of the model is no matter of a conversation.
        if (key !== (await multiplier)) {
          asked.push(key);
          await gate.promise;
        }
        return get(key);
      },
    })),
  );
  // No time passes meanwhile.
  const send = async (own = {}): Promise<string> => {
    const providerOptions = { summarization: own };
    await generateText({ model, messages: structuredClone(messages), providerOptions });
    return JSON.stringify(lastPrompt(inner));
  };
  const answer = (): string[] => {
    const { resolve } = gate;
    gate = Promise.withResolvers();
    resolve();
    return asked.splice(0);
  };
  return { ...made, store, model, send, asked, answer };
}

describe('a look-up', () => {
  it.each([
    ['by its content', {}],
    ['by its id', { conversationId: 'chat' }],
  ])('takes two round trips and at most 16 keys, %s', async (_how, own) => {
    const { start, paid, store, send, asked, answer } = gated();
    const sent = await start(store.open()).send(messages, own);
    const call = send(own);
    await until(() => asked.length > 0);
    await quiet();
    const lists = answer();
    await until(() => asked.length > 0);
    await quiet();
    const records = answer();
    expect(await call).toBe(sent);
    expect(asked).toEqual([]);
    expect(new Set([...lists, ...records]).size).toBe(lists.length + records.length);
    expect(lists.length + records.length).toBeLessThanOrEqual(16);
    expect(paid()).toBe(1);
  });

  it('is not made for a conversation that is too short to have a summary', async () => {
    const { model, asked } = gated();
    await generateText({ model, messages: messages.slice(0, 1) });
    expect(asked).toEqual([]);
  });

  it('is made once in five seconds where the answer is known, and never waited for', async () => {
    const { start } = processes();
    const store = sharedStore();
    let reads = 0;
    const warm = start(
      store.open(({ get }) => ({
        get: async (key) => {
          reads += 1;
          return get(key);
        },
      })),
    );
    await warm.send(messages);
    await refreshTime();
    await warm.send(messages);
    await quiet();
    reads = 0;
    vi.advanceTimersByTime(4900);
    for (let request = 0; request < 10; request += 1) await warm.send(messages);
    await quiet();
    expect(reads).toBe(0);
    vi.advanceTimersByTime(101);
    for (let request = 0; request < 10; request += 1) await warm.send(messages);
    await until(() => reads > 1);
    await quiet();
    expect(reads).toBeLessThanOrEqual(16);
  });
});
