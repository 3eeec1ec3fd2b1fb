import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { assistant, user, words } from '../../support/messages.ts';
import { lastPrompt, textOf } from '../../support/prompts.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { processes, refreshTime, withFakeClock } from './processes.ts';

withFakeClock();

const own = { conversationId: 'chat' };
const windowLength = 21;

/** The first messages of a conversation, which end with one of the user. */
function history(length: number, of = 'this'): ModelMessage[] {
  return Array.from({ length }, (_, index) => {
    const text = `${index} of ${of}: ${words(index, 40)}`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

/** What people say again and again. */
function again(index: number): ModelMessage {
  return index % 2 === 0 ? user(`Again. ${words(0, 40)}`) : assistant(`Done. ${words(1, 40)}`);
}

describe('a client that sends only the end of its history, with an id', () => {
  it('pays one summary more at most in 20 calls than with the whole of it', async () => {
    const pay = async (messagesOf: (length: number) => ModelMessage[]): Promise<number> => {
      const { start, paid } = processes();
      const { send } = start(sharedStore().open());
      for (let length = windowLength; length < windowLength + 40; length += 2)
        await send(messagesOf(length), own);
      return paid();
    };
    const whole = await pay((length) => history(length));
    const windows = await pay((length) => history(length).slice(-windowLength));
    expect(whole).toBeGreaterThan(1);
    expect(windows).toBeLessThanOrEqual(whole + 1);
  });

  it('has the summary sent, then the messages that it does not stand for', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const { send, inner } = start(store.open());
    const whole = await send(history(windowLength), own);
    expect(await start(store.open()).send(history(windowLength).slice(4), own)).toBe(whole);
    await send(history(windowLength + 2).slice(6), own);
    const [before, after] = inner.doGenerateCalls.map(({ prompt }) => prompt.map(textOf));
    const added = history(windowLength + 2).slice(-2);
    expect(after).toEqual([...(before ?? []), ...added.map(({ content }) => content)]);
    expect(paid()).toBe(1);
  });

  it('has the summary sent by a process that knows nothing, however few messages are sent', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    await start(store.open()).send(history(windowLength), own);
    const sent = await start(store.open()).send(history(windowLength).slice(-11), own);
    expect(sent).toContain('Summary 1.');
    expect(paid()).toBe(1);
  });

  it.each([
    ['after a gap', history(61).slice(40)],
    ['where the conversation is another one', history(windowLength, 'that')],
  ])('gets no summary %s, and an event says so', async (_when, messages) => {
    const { start } = processes();
    const { send, events } = start(sharedStore().open());
    await send(history(windowLength), own);
    // Within five seconds what is known would not be compared with the store, nor told of.
    await refreshTime();
    events.length = 0;
    expect(await send(messages, own)).not.toContain('Summary 1.');
    expect(events.map(({ type }) => type)).toContain('history-gap');
  });

  it('goes on from its summary although later messages were written anew again and again', async () => {
    const { start, paid } = processes();
    const { send } = start(sharedStore().open());
    await send(history(windowLength), own);
    const window = history(windowLength).slice(4);
    for (const of of ['one', 'two', 'three', 'four'])
      await send([...window, ...history(windowLength, of)], own);
    expect(paid()).toBe(5);
    expect(await send(window, own)).toContain('Summary 1.');
    expect(paid()).toBe(5);
  });

  it('is sent as it is where it could stand in two places, of which the longer one is wrong', async () => {
    const { start } = processes();
    const { send, events, inner } = start(sharedStore().open());
    // Six messages in the same words: four of them summarized, and the window begins with the last two of those.
    const cut = 15;
    const whole = history(windowLength).map((message, index) =>
      index < cut - 4 || index >= cut + 2 ? message : again(index),
    );
    await send(whole, own);
    expect(events).toContainEqual(expect.objectContaining({ type: 'end', coveredMessages: cut }));
    const window = whole.slice(cut - 2);
    await send(window, own);
    expect(lastPrompt(inner).map(textOf)).toEqual(window.map(({ content }) => content));
  });
});

describe('a client that sends only the end of its history, without an id', () => {
  it('is warned of, and not one that sends the whole of it', async () => {
    const { start } = processes();
    const { send, events } = start(sharedStore().open());
    const warned = () => events.filter((event) => JSON.stringify(event).includes('sliding-window'));
    await send(history(windowLength));
    await send(history(windowLength + 2));
    await send(history(windowLength, 'that'));
    expect(warned()).toEqual([]);
    await send(history(windowLength + 4).slice(4));
    expect(warned()).toHaveLength(1);
  });

  it('is made to fit after two summaries in a row that no request found again, until it says who it is', async () => {
    const { start, paid } = processes();
    const { send, events } = start(sharedStore().open());
    for (let length = windowLength; length < windowLength + 60; length += 2)
      await send(history(length).slice(-windowLength));
    expect(paid()).toBe(2);
    const skipped = events.filter(({ type }) => type === 'skipped');
    expect(skipped).toHaveLength(28);
    expect(skipped).toContainEqual(expect.objectContaining({ reason: 'sliding-window' }));
    expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1);
    // Who asks for one, has an id, or sends another conversation, gets one.
    const last = history(windowLength + 60).slice(-windowLength);
    await send(last, { force: true });
    expect(paid()).toBe(3);
    await send(history(windowLength + 62).slice(-windowLength), own);
    expect(paid()).toBe(4);
    await send(history(windowLength, 'that'));
    expect(paid()).toBe(5);
  });
});
