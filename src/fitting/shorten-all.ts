import { composePrompt, type Composition } from '../composing/compose-prompt.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { legalCuts } from '../selection/legal-cuts.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import type { FittingTask } from './counted-conversation.ts';
import { fitRecord, recordTokens } from './fit-record.ts';
import type { ShortenedPrompt } from './fitting-draft.ts';
import { shrinkMessages } from './shrink-messages.ts';
import { trimRecord } from './trim-record.ts';

/** What stays of what the summary says. */
export type KeptOfSummary = 'all' | 'what fits' | 'nothing';

/** A prompt of which nothing but what must stay is to be left. */
export interface ShortenAllTask extends FittingTask {
  /** Messages at the end whose tool outputs stay as long as others can give way. */
  readonly preserveRecent: number;
}

/** The least characters that are ever left of a text. */
const leastTextCharacters = 200;

/** Tokens that a record may take more than counted: it may stand in a message with other texts. */
const placementTokens = 16;

/**
 * Leaves out all that may be, and shortens the rest: all but the recent messages, then what is largest.
 *
 * @returns `undefined` where no part of a summary can be kept.
 */
export async function shortenAll(
  task: ShortenAllTask,
  kept: KeptOfSummary,
): Promise<ShortenedPrompt | undefined> {
  const { view, composition, measure, abortSignal } = task;
  const slices = timeSlices({ abortSignal });
  const cut = (await legalCuts(view, composition?.cut ?? 0, slices)).at(-1);
  // Where the record stands for all that one may stand for, what it says can go still.
  const last = cut ?? composition?.cut;
  if (last === undefined || (cut === undefined && kept === 'all'))
    return kept === 'what fits' ? undefined : shortenBehind(task, composition);
  const behind = async (record: SummaryRecord, target = task.target): Promise<ShortenedPrompt> => {
    const part = { record, cut: last };
    return shortenBehind({ ...task, target }, await composePrompt(view, task.style, part, slices));
  };
  if (kept === 'all') return behind(await trimRecord(task, last, true));
  const empty = await trimRecord(task, last, false);
  if (kept === 'nothing') return behind(empty);
  if (composition === undefined) return undefined;
  // What is left for the record beside the shortest forms of all that stays.
  const { prompt } = await behind(empty, 0);
  await measure.count(prompt, abortSignal);
  const left = measure.unscaled.room(task.target) - measure.unscaled.prompt(prompt);
  const most = left + (await recordTokens(empty, task)) - placementTokens;
  const record = await fitRecord(await trimRecord(task, last, true), most, task);
  return record && behind(record);
}

/** Shortens what stands behind a record, as far as it has to be. */
async function shortenBehind(
  { view, measure, target, preserveRecent, toolResults, abortSignal }: ShortenAllTask,
  composition: Composition | undefined,
): Promise<ShortenedPrompt> {
  const { systems, conversation, pinned } = view;
  const slices = timeSlices({ abortSignal });
  const whole = composition?.prompt ?? [...systems, ...conversation];
  const verbatim = new Set(conversation.filter((_, index) => pinned.has(index)));
  const stale = new Set(
    conversation.slice(0, -preserveRecent).filter((message) => !verbatim.has(message)),
  );
  await slices.pause();
  const condensed = await condenseToolResults(whole, stale, slices, toolResults);
  const fits = async (messages: readonly Message[]): Promise<boolean> => {
    await measure.count(messages, abortSignal);
    return measure.prompt(messages) <= target;
  };
  const prompt = await shrinkMessages(condensed, fits, {
    leastCharacters: leastTextCharacters,
    summary: composition?.text,
    verbatim,
    slices,
  });
  const shortenedMessages = prompt.flatMap((message, index) =>
    message === whole[index] ? [] : [index],
  );
  return { prompt, shortenedMessages, composition };
}
