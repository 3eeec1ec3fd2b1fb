import type { Message } from '../../src/index.ts';
import { writeRound, type Author } from '../properties/generators/history-plan.ts';
import type { TracePlan } from '../properties/generators/trace-plan.ts';
import { writeTrace, type Trace } from '../properties/generators/write-trace.ts';
import { canonicalTexts } from '../properties/rig/canonical-text.ts';
import { split } from '../properties/rig/read-outcome.ts';
import type { ProviderId, Sending } from './operation.ts';

/** Somebody who has a conversation. */
export interface Client extends Author {
  readonly tenant: string;
  /** The id it sends, if it does. */
  readonly conversationId: string | undefined;
  provider: ProviderId;
  hasTools: boolean;
  state: TracePlan;
  /** What its conversation was with each call. */
  readonly former: TracePlan[];
}

/** A conversation as it is sent in one call. */
export interface Written {
  readonly trace: Trace;
  /** What identifies each of its messages that something identifies, in order; of the whole conversation. */
  readonly texts: readonly string[];
  /** Where what is sent of it begins. */
  readonly from: number;
}

/** Writes a conversation as a client sends it this time. */
export function write(
  state: TracePlan,
  { noise, window = state.turns.length }: Pick<Sending, 'noise' | 'window'>,
): Written {
  const texts = textsOf(state);
  const sent = { ...state, turns: state.turns.slice(-window) };
  const hidden = textsOf({ ...state, turns: state.turns.slice(0, -window) });
  return { trace: writeRound(sent, noise), texts, from: hidden.length };
}

function textsOf(state: TracePlan): readonly string[] {
  const [, conversation] = split(writeTrace(state).prompt);
  return canonicalTexts(conversation)
    .filter((text) => text !== undefined)
    .map((text) => text.replaceAll(counted, ''));
}

/** Ids that are counted anew when a conversation loses its beginning. */
const counted = /(?<="(?:toolCallId|approvalId)":")(?:approve-)?call\d+/g;

/** The messages of a written conversation that something identifies, in order, with what does. */
export function identified({ trace, texts, from }: Written): ReadonlyMap<Message, string> {
  const [, conversation] = split(trace.prompt);
  const own = canonicalTexts(conversation);
  const significant = conversation.filter((_, index) => own[index] !== undefined);
  return new Map(significant.map((message, index) => [message, texts[from + index] ?? '']));
}

/** What identifies the first messages of a conversation that is sent as a whole. */
export function firstTexts(written: Written, messages: number): readonly string[] {
  const [, conversation] = split(written.trace.prompt);
  const texts = identified(written);
  return conversation.slice(0, messages).flatMap((message) => texts.get(message) ?? []);
}
