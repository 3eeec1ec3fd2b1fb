import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { countText as count } from '../../support/count-text.ts';
import { extractiveModel, kindsOf } from '../levels/extractive-model.ts';
import {
  answer,
  content,
  httpError,
  modelResult,
  promptText,
  record,
  summarizer,
  ticketTalk,
} from './fixtures.ts';
import { user } from '../../support/prompt-messages.ts';
import { withFakeTimers, written } from './watch.ts';

/** About 5,000 tokens. */
const messages = ticketTalk(60);
const ticketsIn = (text: string): readonly number[] =>
  Array.from(text.matchAll(/TICKET-(\d+)X/g), ([, id]) => Number(id));

withFakeTimers();

/** Everything a call was asked with. */
const textOf = ({ prompt }: Pick<LanguageModelV4CallOptions, 'prompt'>): string =>
  prompt
    .map((message) =>
      message.role === 'system' ? message.content : promptText({ prompt: [message] }),
    )
    .join('\n');

/** What of it are messages. */
const read = (text: string): string => text.slice(text.indexOf('[{"i"'));

describe('summarizeTranscript', () => {
  it('reads what is longer in as few pieces as there have to be, each on top of the record before', async () => {
    const reader = extractiveModel();
    const output = await written(reader, { messages, maxTranscriptTokens: 4800 });
    const asked = reader.doGenerateCalls.map(textOf);
    expect(asked.length).toBe(2);
    for (const text of asked) expect(count(text)).toBeLessThanOrEqual(4800);
    const seen = asked.map((text) => new Set(ticketsIn(read(text))));
    expect(new Set(seen.flatMap((tickets) => [...tickets]))).toEqual(new Set(messages.keys()));
    // Nothing is read twice but what a record repeats.
    expect([...(seen[0] ?? [])].filter((ticket) => seen[1]?.has(ticket))).toEqual([]);
    expect(asked[0]).not.toContain('Record so far, as JSON:');
    expect(asked[1]).toContain('Record so far, as JSON:');
    expect(asked[1]).toContain('TICKET-0X');
    expect(output.usage).toEqual({ inputTokens: 200, outputTokens: 20 });
  });

  it('names messages by their place in the conversation, whichever piece they are in', async () => {
    const asked: number[] = [];
    const reader = summarizer((_call, options) => {
      const last = ticketsIn(promptText(options)).at(-1) ?? 0;
      asked.push(last);
      // A model writes the whole record anew, what it read before too.
      const keyPoints = asked.map((ticket) => ({
        text: `Look at TICKET-${ticket}X next.`,
        message: ticket,
      }));
      return modelResult(JSON.stringify(answer({ summary: 'Short.', keyPoints })));
    });
    const output = await written(reader, { messages, maxTranscriptTokens: 4800 });
    const { keyPoints, origins } = output.content;
    expect(keyPoints).toEqual(asked.map((ticket) => `Look at TICKET-${ticket}X next.`));
    expect(asked).toHaveLength(2);
    expect(origins?.keyPoints?.at(-1)).toMatchObject({ message: asked[1] });
  });

  it('makes no more than eight calls, and lets the rules read what comes first', async () => {
    const reader = extractiveModel();
    const long = ticketTalk(300);
    const output = await written(reader, { messages: long, maxTranscriptTokens: 2000 });
    const { length: calls } = reader.doGenerateCalls;
    // The rules leave a third of the room unread, where their record may need less.
    expect(calls).toBeGreaterThanOrEqual(6);
    expect(calls).toBeLessThanOrEqual(8);
    const first = textOf(reader.doGenerateCalls[0] ?? { prompt: [] });
    const firstRead = Math.min(...ticketsIn(read(first)));
    expect(firstRead).toBeGreaterThan(100);
    expect(first).toContain('Record so far, as JSON:');
    const ofRules = ticketsIn(first.slice(0, first.indexOf('[{"i"')));
    expect(Math.min(...ofRules)).toBeLessThan(firstRead);
    const last = promptText(reader.doGenerateCalls.at(-1));
    expect(last).toContain('TICKET-299X');
    expect(output.content.summary).toMatch(/TICKET-2\d\dX/);
  });

  it('reads all of one message that is larger than a piece', async () => {
    const words = Array.from({ length: 2000 }, (_, index) => `w${index}w`);
    const reader = extractiveModel();
    await written(reader, { messages: [user(words.join(' '))], maxTranscriptTokens: 5000 });
    const texts = reader.doGenerateCalls.map((call) => read(promptText(call)));
    expect(texts.length).toBeLessThanOrEqual(3);
    expect(texts.flatMap((text) => text.match(/w\d+w/g) ?? [])).toEqual(words);
  });

  it('reads messages even when the previous record fills the model', async () => {
    const previous = record(content({ summary: 'Long narrative. '.repeat(800) }));
    const reader = extractiveModel();
    await written(reader, { messages, previous, maxTranscriptTokens: 3000 });
    const seen = reader.doGenerateCalls.flatMap((call) => ticketsIn(promptText(call)));
    expect(new Set(seen).size).toBe(messages.length);
    for (const call of reader.doGenerateCalls)
      expect(count(textOf(call))).toBeLessThanOrEqual(3000);
  });
});

it('summarizeTranscript with a failing model lets the next model finish what the first one began', async () => {
  const first = extractiveModel((call) => {
    if (call >= 1) throw httpError(401);
  }, 'first');
  const second = extractiveModel(() => {}, 'second');
  const output = await written(
    first,
    { messages, maxTranscriptTokens: 4800 },
    { models: [first, second] },
  );
  expect(first.doGenerateCalls).toHaveLength(2);
  expect(kindsOf(second)).toEqual(['object']);
  expect(output.content.summary).toContain('TICKET-59X');
});
