import type { Composition, CompositionStyle } from '../composing/compose-prompt.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { legalCuts } from '../selection/legal-cuts.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { timeSlices } from '../util/async/time-slices.ts';

/** A prompt that is too long, and what a shorter one is written from. */
export interface FittingTask {
  readonly view: ConversationView;
  readonly style: CompositionStyle;
  readonly measure: TokenMeasure;
  /** Tokens that the whole prompt may take. */
  readonly target: number;
  /** The record that applies before anything is left out. */
  readonly composition: Composition | undefined;
  /** Gives the key of a record of so many messages that identify the conversation. */
  readonly keyOf: (count: number) => Promise<string>;
  /** How tool results are condensed. */
  readonly toolResults: ToolResultOptions;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Counts a message, in tokens. */
export type CountTokens = (message: Message) => Promise<number>;

/** A conversation that is too long, and what its pieces take. Tokens are unscaled ones. */
export interface CountedConversation {
  readonly messages: readonly Message[];
  /** Tokens of each message; 0 for those that a record stands for already. */
  readonly tokens: readonly number[];
  /** Tokens of all of them. */
  readonly history: number;
  /** Tokens of what stands around the conversation: system messages, tools, the record so far. */
  readonly fixed: number;
  /** Index of the first message that no record stands for yet. */
  readonly start: number;
  /** Indexes at which groups of messages begin, ascending. */
  readonly boundaries: readonly number[];
  /** Those at which the next record may end; none where nothing may be left out. */
  readonly cuts: readonly number[];
  /** Indexes of messages before a cut that are sent nevertheless: anchor, pins, system messages. */
  readonly kept: (cut: number) => readonly number[];
  readonly keptTokens: (cut: number) => number;
  readonly count: CountTokens;
  /** Leaves the event loop to others where it is time. */
  readonly pause: () => Promise<void> | undefined;
}

/** A prompt that is too long, its conversation counted. */
export interface CountedTask extends FittingTask {
  readonly conversation: CountedConversation;
  /** Characters that a shortened text keeps at the least. */
  readonly leastCharacters: number;
}

type ConversationTask = Pick<
  FittingTask,
  'view' | 'style' | 'composition' | 'measure' | 'abortSignal'
>;

/** Counts a conversation that is to be shortened, behind the record that applies. */
export async function countConversation(task: ConversationTask): Promise<CountedConversation> {
  const { view, composition, measure, abortSignal } = task;
  const { conversation: messages } = view;
  const start = composition?.cut ?? 0;
  const slices = timeSlices({ abortSignal });
  const { pause } = slices;
  const cuts = await legalCuts(view, start, slices);
  await measure.count(messages, abortSignal);
  const tokensOf = (index: number): number => {
    const message = messages[index];
    return message === undefined ? 0 : measure.unscaled.message(message);
  };
  const tokens = messages.map((_, index) => (index < start ? 0 : tokensOf(index)));
  const count: CountTokens = async (message) => {
    await pause();
    await measure.count([message], abortSignal);
    return measure.unscaled.message(message);
  };
  const kept = (cut: number): readonly number[] => keptMessages({ ...view, cut }).indexes;
  const keptTokens = onceEach((cut) =>
    kept(cut).reduce((total, index) => total + tokensOf(index), 0),
  );
  await pause();
  const history = tokens.reduce((total, each) => total + each, 0);
  return {
    messages,
    tokens,
    history,
    fixed: (await wholeTokens(task)) - history - keptTokens(start),
    start,
    boundaries: view.groups.boundaries,
    cuts,
    kept,
    keptTokens,
    count,
    pause,
  };
}

/** Tokens of a prompt as it stands. */
async function wholeTokens(task: ConversationTask): Promise<number> {
  const { view, composition, measure, abortSignal } = task;
  const prompt = composition?.prompt ?? [...view.systems, ...view.conversation];
  await measure.count(prompt, abortSignal);
  return measure.unscaled.prompt(prompt);
}

function onceEach(compute: (cut: number) => number): (cut: number) => number {
  const sizes = new Map<number, number>();
  return (cut) => {
    const size = sizes.get(cut) ?? compute(cut);
    sizes.set(cut, size);
    return size;
  };
}
