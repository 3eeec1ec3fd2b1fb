import { expect } from 'vitest';
import { sameMessage, type Reading } from './read-outcome.ts';
import type { Outcome } from './run-call.ts';
import type { Trace } from '../generators/write-trace.ts';

/** One call that was sent, taken apart. */
export interface Sent {
  readonly trace: Trace;
  readonly outcome: Outcome;
  readonly reading: Reading;
}

/** What must hold of the shape of every prompt that is sent, by the ids of the invariants. */
export const structureChecks: Readonly<Record<string, (sent: Sent) => void>> = {
  /** The leading system messages come first, the same objects. */
  P1: ({ reading: { systems, sentSystems } }) => {
    expect(sentSystems).toHaveLength(systems.length);
    sentSystems.forEach((message, index) => expect(message).toBe(systems[index]));
  },

  /** The tail is a contiguous suffix of the conversation, the same objects unless shortened. */
  P2: ({ reading: { conversation, cut, tail } }) => {
    expect(tail).toHaveLength(conversation.length - cut);
    for (const sent of tail) {
      const given = conversation[sent.index];
      expect(given !== undefined && sameMessage(given, sent), `message ${sent.index}`).toBe(true);
    }
  },

  /** One summary at most, right after the leading system messages; nothing else is added. */
  P5: ({ reading, outcome }) => {
    const { summary, cut, kept, tail, summaryMessage, systems } = reading;
    expect(summary === undefined).toBe(cut === 0);
    expect(outcome.sent?.prompt).toHaveLength(
      systems.length + kept.length + tail.length + (summaryMessage === undefined ? 0 : 1),
    );
  },

  /** The first message that is no system message is the user's, as it was. */
  P6: ({ outcome }) => {
    const first = outcome.sent?.prompt.find(({ role }) => role !== 'system');
    expect(first?.role).toBe('user');
  },

  /** Every result follows its call, every call that was answered is answered, groups are adjacent. */
  P7: ({ reading: { kept, tail, conversation } }) => {
    const sent = [...kept, ...tail];
    const answered = resolvedCalls(conversation);
    const open = new Set<string>();
    sent.forEach(({ message, index }, position) => {
      if (message.role === 'tool')
        expect(sent[position - 1]?.index, 'the message before a result').toBe(index - 1);
      if (message.role !== 'assistant' && message.role !== 'tool') return;
      for (const part of message.content) {
        if (part.type === 'tool-call') open.add(part.toolCallId);
        if (part.type === 'tool-result') expect(open.delete(part.toolCallId)).toBe(true);
      }
    });
    expect([...open].filter((id) => answered.has(id))).toEqual([]);
  },

  /** A call that waits for its result is never summarized. */
  P8: ({ reading: { conversation, kept, tail } }) => {
    const answered = resolvedCalls(conversation);
    const sent = new Set([...kept, ...tail].map(({ message }) => message));
    for (const message of conversation) {
      const waits =
        message.role === 'assistant' &&
        message.content.some((part) => part.type === 'tool-call' && !answered.has(part.toolCallId));
      if (waits) expect(sent.has(message)).toBe(true);
    }
  },

  /** What belongs together is kept whole or left out whole. */
  P9: ({ reading: { systems, kept, tail, conversation }, trace }) => {
    const sent = new Set([...kept, ...tail].map(({ index }) => index));
    const groups = Map.groupBy(
      conversation.keys(),
      (index) => trace.groups[index + systems.length],
    );
    for (const members of groups.values())
      expect(new Set(members.map((index) => sent.has(index))).size).toBe(1);
  },

  /** Assistant and system messages are never edited, so signatures and item ids are what they were. */
  P11: ({ reading: { kept, tail, conversation } }) => {
    for (const { message, index } of [...kept, ...tail]) {
      if (message.role === 'assistant' || message.role === 'system')
        expect(message).toBe(conversation[index]);
    }
  },

  /** The last message is the last message. */
  P13: ({ reading: { conversation, tail } }) => {
    expect(tail.at(-1)?.index).toBe(conversation.length - 1);
  },

  /** No blank text is introduced. */
  P14: ({ outcome: { given, sent } }) => {
    const before = new Set<unknown>(given.prompt);
    for (const message of sent?.prompt ?? []) {
      if (before.has(message)) continue;
      const texts =
        typeof message.content === 'string'
          ? [message.content]
          : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      for (const text of texts) expect(text).toMatch(/\S/);
    }
  },

  /** Whoever is not in the prompt is covered by the record, and nobody else in front of the tail is. */
  P16: ({ reading: { kept, tail, cut, conversation } }) => {
    const indexes = [...kept, ...tail].map(({ index }) => index);
    expect(new Set(indexes).size, 'no message twice (P18)').toBe(indexes.length);
    const missing = [...conversation.keys()].filter((index) => !indexes.includes(index));
    for (const index of missing) expect(index).toBeLessThan(cut);
  },
};

function resolvedCalls(conversation: Reading['conversation']): Set<string> {
  return new Set(
    conversation.flatMap(({ role, content }) =>
      role === 'tool' || role === 'assistant'
        ? content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
        : [],
    ),
  );
}

/** Runs all checks and returns what is broken, by the ids of the invariants. */
export function brokenStructure(sent: Sent): readonly string[] {
  return Object.entries(structureChecks).flatMap(([id, check]) => {
    try {
      check(sent);
      return [];
    } catch (error) {
      return [`${id}: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
}
