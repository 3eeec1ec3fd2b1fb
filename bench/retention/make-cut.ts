import type { LanguageModelV4Message } from '@ai-sdk/provider';
import { textOf } from './segments.ts';

/** A question about a conversation and what counts as its answer. */
export interface Probe {
  readonly question?: string | undefined;
  readonly answer?: string | undefined;
  readonly acceptable?: readonly string[] | undefined;
}

export interface Conversation {
  readonly id: string;
  readonly messages: readonly LanguageModelV4Message[];
  readonly probes: readonly Probe[];
}

/** A conversation at the moment when its older messages have to go. */
export interface Cut {
  readonly system: readonly LanguageModelV4Message[];
  /** What goes. */
  readonly evicted: readonly LanguageModelV4Message[];
  /** What stays verbatim. */
  readonly tail: readonly LanguageModelV4Message[];
  /** What really came next. */
  readonly future: readonly LanguageModelV4Message[];
  readonly probes: readonly Probe[];
  /** Tokens of `evicted`. */
  readonly evictedTokens: number;
}

const tailShare = 0.15;
const maxTailTokens = 8000;

/**
 * Halves a conversation by tokens; the tail is the last 15 % of the first half, at most 8,000 tokens, and
 * does not start with a tool message.
 */
export function makeCut({ messages, probes }: Conversation, count: (text: string) => number): Cut {
  const start = messages.findIndex(({ role }) => role !== 'system');
  const system = messages.slice(0, Math.max(start, 0));
  const rest = messages.slice(system.length);
  const sizes = rest.map((message) => count(textOf([message])));
  const total = sum(sizes);
  let half = 0;
  for (let taken = 0; half < rest.length && taken < total / 2; half += 1) taken += sizes[half] ?? 0;
  const room = Math.min(tailShare * sum(sizes.slice(0, half)), maxTailTokens);
  let cut = half;
  for (let taken = sizes[cut - 1] ?? 0; cut > 0 && taken <= room; taken += sizes[cut - 1] ?? 0)
    cut -= 1;
  while (cut < half && rest[cut]?.role === 'tool') cut += 1;
  return {
    system,
    evicted: rest.slice(0, cut),
    tail: rest.slice(cut, half),
    future: rest.slice(half),
    probes,
    evictedTokens: sum(sizes.slice(0, cut)),
  };
}

/** All of a conversation goes: for questions about it afterwards, where nothing comes next. */
export function evictAll({ messages, probes }: Conversation, count: (text: string) => number): Cut {
  const evictedTokens = sum(messages.map((message) => count(textOf([message]))));
  return { system: [], evicted: messages, tail: [], future: [], probes, evictedTokens };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
