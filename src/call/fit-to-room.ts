import { chooseZones, verbatimFrom, type ZoneInput } from '../fitting/choose-zones.ts';
import { fitRoom } from '../fitting/fit-room.ts';
import { leastForms } from '../fitting/least-forms.ts';
import { restoreMessages, type CountTokens } from '../fitting/restore-messages.ts';
import { userWords } from '../fitting/user-words.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { shrinkMessage } from '../recovery/shrink-messages.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import { timeSlices } from '../tokens/time-slices.ts';
import type { CallContext } from './call-context.ts';
import { legalCuts } from './choose-coverage.ts';
import { composePrompt, type Composition, type CoveredPart } from './compose-prompt.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import type { CallInspection } from './inspect-call.ts';
import type { TokenMeasure } from './token-measure.ts';
import { trimRecord } from './trim-record.ts';

/** A prompt whose older messages were shortened or left out. */
export interface RoomyPrompt {
  readonly prompt: readonly Message[];
  /** Indexes in the prompt of the messages that were shortened. */
  readonly shortenedMessages: readonly number[];
  readonly composition: Composition | undefined;
}

/** Tokens of a record's frame and of its notice that messages were left out, with room to spare. */
const noticeTokens = 80;

/** Share of the room for what the user said in messages that are left out. */
const wordShare = 1 / 8;

/** Characters that a shortened text keeps, for each token of the room, and their bounds. */
const leastCharacters = { perToken: 1 / 4, min: 200, max: 2000 };

/**
 * Shortens a conversation to the tokens it may take, and no further. The newest messages stay as they
 * are; before them tool outputs give way to their facts, oldest first, then long texts of the user to
 * head and tail; only then are the oldest groups left out, behind a record that repeats what the user
 * said in them. Decided from the content alone, in steps, see `fitRoom`: a call that goes on from this
 * one mostly gets an extension of its prompt.
 *
 * @param inspection - The call, with the record that applies as its composition.
 * @param target - Tokens that the whole prompt may take.
 * @returns `undefined` when what must stay takes the room.
 */
export async function fitToRoom(
  { toolResults }: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
  target: number,
): Promise<RoomyPrompt | undefined> {
  const { params, view, style } = inspection;
  const { abortSignal } = params;
  const { conversation, groups, pinned } = view;
  const start = inspection.composition?.cut ?? 0;
  await measure.count(conversation, abortSignal);
  const slices = timeSlices({ abortSignal });
  const count: CountTokens = async (message) => {
    const pause = slices.pause();
    if (pause !== undefined) await pause;
    await measure.count([message], abortSignal);
    return measure.unscaled.message(message);
  };
  const sum = (messages: readonly Message[]): number =>
    messages.reduce((total, message) => total + measure.unscaled.message(message), 0);
  const keptAt = (cut: number): readonly Message[] =>
    keptMessages({ ...view, cut }).indexes.flatMap((index) => conversation[index] ?? []);

  const given = inspection.composition?.prompt ?? params.prompt;
  const history = sum(conversation.slice(start));
  // Without the conversation: system messages, tools, the record that stands already.
  const fixed = measure.unscaled.prompt(given) - history - sum(keptAt(start));
  const fitted = fitRoom(measure.unscaled.room(target), fixed, history);
  const { room, growth } = fitted;
  if (room <= 0) return undefined;

  const zones: ZoneInput = {
    tokens: conversation.map((message, index) =>
      index < start ? 0 : measure.unscaled.message(message),
    ),
    start,
    ...fitted,
  };
  const latestUser = conversation.findLastIndex(({ role }) => role === 'user');
  const characters = Math.min(
    leastCharacters.max,
    Math.max(leastCharacters.min, Math.floor(room * leastCharacters.perToken)),
  );
  const shorten = (first: number, end: number): readonly Message[] => {
    const from = groups.startOf(first);
    const range = conversation.slice(from, end);
    const stale = new Set(range.filter((_, index) => !pinned.has(from + index)));
    return condenseToolResults(range, stale, toolResults)
      .map((message, index) =>
        pinned.has(from + index) || from + index === latestUser
          ? message
          : shrinkMessage(message, characters),
      )
      .slice(first - from);
  };
  const userTokens = runningSums(
    zones.tokens.map((tokens, index) => (conversation[index]?.role === 'user' ? tokens : 0)),
  );
  const frontTokens = (cut: number): number => {
    const kept = keptAt(cut);
    if (cut === start) return sum(kept);
    const words = (userTokens[cut] ?? 0) - sum(kept.filter(({ role }) => role === 'user'));
    return sum(kept) + noticeTokens + Math.min(room * wordShare, Math.max(0, words));
  };
  const zonesFrom = async (verbatim: number) => {
    const least = await leastForms({ conversation, start, end: verbatim, room, shorten, count });
    const chosen = chooseZones(
      zones,
      { cuts: legalCuts(inspection), frontTokens, keptTokens: (cut) => sum(keptAt(cut)) },
      verbatim,
      least,
    );
    return chosen === undefined ? undefined : { chosen, shortened: least.shortened };
  };
  const decided =
    (await zonesFrom(verbatimFrom(zones, groups.boundaries, frontTokens))) ??
    // Where even the newest share is too much, its outputs give way too.
    (await zonesFrom(conversation.length));
  if (decided === undefined) return undefined;
  const { chosen } = decided;

  const cut = await leftOut(inspection, chosen, async (covered) =>
    userWords(
      covered.map((message) => shrinkMessage(message, characters)),
      room * wordShare,
      count,
    ),
  );
  const composed = (forms: ReadonlyMap<number, Message>): Composition | undefined => {
    if (cut === undefined) return undefined;
    const shortened = conversation.map((message, index) => forms.get(index) ?? message);
    return composePrompt({ ...view, conversation: shortened }, style, cut);
  };
  const promptWith = (forms: ReadonlyMap<number, Message>): readonly Message[] =>
    composed(forms)?.prompt ?? [
      ...view.systems,
      ...conversation.map((message, index) => forms.get(index) ?? message),
    ];
  const inTail = decided.shortened.filter(({ index }) => index >= chosen);
  const forms = new Map(inTail.map((entry) => [entry.index, entry.least]));
  const shortest = promptWith(forms);
  await measure.count(shortest, abortSignal);
  const left = room + fixed - growth - measure.unscaled.prompt(shortest);
  const restored = await restoreMessages(inTail, left, count);
  const final = new Map([...forms, ...restored]);
  const prompt = promptWith(final);
  return {
    prompt,
    // The tail is the end of the prompt, whatever stands in front of it.
    shortenedMessages: [...final]
      .flatMap(([index, form]) =>
        form === conversation[index] ? [] : [prompt.length - conversation.length + index],
      )
      .toSorted((first, second) => first - second),
    composition: composed(final),
  };
}

/** What stands in front of the tail when it begins at `cut`; `undefined` for nothing. */
async function leftOut(
  inspection: CallInspection,
  cut: number,
  wordsOf: (covered: readonly Message[]) => Promise<readonly string[]>,
): Promise<CoveredPart | undefined> {
  const { view, composition } = inspection;
  const start = composition?.cut ?? 0;
  if (cut === start) return composition;
  const kept = new Set(keptMessages({ ...view, cut }).indexes);
  const covered = view.conversation.slice(start, cut);
  const userTexts = await wordsOf(covered.filter((_, index) => !kept.has(start + index)));
  return { record: await trimRecord(inspection, composition, cut, true), cut, userTexts };
}

function runningSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (const [index, value] of values.entries()) sums[index + 1] = (sums[index] ?? 0) + value;
  return sums;
}
