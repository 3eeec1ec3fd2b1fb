import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import type { Policy } from '../options/resolve-policy.ts';
import { shrinkMessages } from './zones/shrink-messages.ts';
import { timeSlices } from '../util/time-slices.ts';
import type { CallContext } from '../call/call-context.ts';
import { legalCuts } from '../selection/legal-cuts.ts';
import { composePrompt, type Composition } from '../composing/compose-prompt.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import { fitToRoom } from './fit-to-room.ts';
import type { ShortenedPrompt } from './fitting-draft.ts';
import type { CallInspection } from '../call/read-call.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';
import { trimRecord } from './trim-record.ts';

/** A prompt and the record that stands in it. */
export interface Draft {
  readonly prompt: Prompt;
  readonly composition: Composition | undefined;
}

/** A prompt that fits the model. */
export interface FittedCall extends Draft {
  readonly tokens: number;
  /** Tokens under o200k, if it was counted. */
  readonly counted: number | undefined;
  /** What was done to make it fit; `undefined` when it fitted as it was. */
  readonly recovery?:
    | {
        readonly tokensBefore: number;
        readonly tokensAfter: number;
        readonly shortenedMessages: readonly number[];
      }
    | undefined;
}

/** The least characters that are ever left of a text. */
const leastCharacters = 200;

/** Share of the limit that a shortened prompt leaves free where the model's tokenizer is not ours. */
const estimateMargin = 0.05;

/**
 * Makes a prompt fit without a model, with the least that helps: see `fitToRoom`. Where what must stay
 * does not leave the room for that, everything that may be left out is, and the rest shortened; at last
 * what the summary says goes too. Nothing of this is stored: the next call may find a better way.
 *
 * @throws {ContextOverflowError} when even the smallest legal prompt certainly does not fit. One that may fit,
 * because the model's tokenizer is only guessed at, is sent: the provider knows.
 */
export async function fitCall(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
  { prompt: before, composition: standing }: Draft,
): Promise<FittedCall> {
  const { params, policy, view, style } = inspection;
  const fits = async (messages: readonly Message[]): Promise<boolean> => {
    await measure.count(messages, params.abortSignal);
    return measure.prompt(messages) <= roomOf(policy);
  };
  await measure.count(before, params.abortSignal);
  // What fits by the figures that calls are decided on is not touched: the next call would send it whole.
  if (measure.prompt(before) <= policy.limit)
    return {
      prompt: before,
      composition: standing,
      tokens: measure.prompt(before),
      counted: measure.counted(before),
    };

  // What was left out of the refused attempt is chosen anew, so that what the user said in it is kept.
  const composition = standing?.instead === undefined ? standing : standing.instead.of;
  const current = { ...inspection, composition };
  const { conversation } = view;
  const verbatim = new Set(conversation.filter((_, index) => view.pinned.has(index)));
  const stale = new Set(
    conversation.slice(0, -policy.preserveRecent).filter((message) => !verbatim.has(message)),
  );
  const lastCut = legalCuts(view, composition?.cut ?? 0).at(-1);
  const leastAfter = async (withContent: boolean): Promise<ShortenedPrompt> => {
    const composed =
      lastCut === undefined
        ? composition
        : composePrompt(view, style, {
            record: await trimRecord(inspection, composition, lastCut, withContent),
            cut: lastCut,
          });
    const whole = composed?.prompt ?? params.prompt;
    const slices = timeSlices({ abortSignal: params.abortSignal });
    const condensed = await condenseToolResults(whole, stale, slices, context.toolResults);
    const prompt = await shrinkMessages(condensed, fits, {
      leastCharacters,
      summary: composed?.text,
      verbatim,
    });
    const shortenedMessages = prompt.flatMap((message, index) =>
      message === whole[index] ? [] : [index],
    );
    return { prompt, shortenedMessages, composition: composed };
  };
  const attempts = [
    () => fitToRoom(context, current, measure, roomOf(policy)),
    () => leastAfter(true),
    () => leastAfter(false),
  ];

  let smallest: FittedCall | undefined;
  for (const attempt of attempts) {
    // Each attempt is tried only when the gentler one before it has failed.
    const shortened = await attempt();
    if (shortened === undefined) continue;
    const { prompt, shortenedMessages, composition: composed } = shortened;
    const doesFit = await fits(prompt);
    const tokens = measure.prompt(prompt);
    const tokensBefore = measure.prompt(before);
    const recovery = { tokensBefore, tokensAfter: tokens, shortenedMessages };
    const counted = measure.counted(prompt);
    const fitted = { prompt: [...prompt], composition: composed, tokens, counted, recovery };
    if (doesFit) return fitted;
    if (smallest === undefined || tokens < smallest.tokens) smallest = fitted;
  }
  if (smallest !== undefined && measure.leastPrompt(smallest.prompt) <= policy.limit)
    return smallest;
  throw overflow(inspection, measure, smallest?.prompt ?? before);
}

/** What a shortened prompt may take: some room is left where what its tokens come to is an estimate. */
function roomOf({ limit, tokenMultiplierGiven }: Policy): number {
  return tokenMultiplierGiven ? limit : limit * (1 - estimateMargin);
}

function overflow(
  { policy, view }: CallInspection,
  measure: TokenMeasure,
  smallest: readonly Message[],
): ContextOverflowError {
  const tokens = measure.prompt(smallest);
  const latestUser = smallest.findLast((message) => message.role === 'user');
  return new ContextOverflowError({
    tokens,
    limit: policy.limit,
    message:
      `The smallest prompt that can be sent takes ${tokens} tokens, the model accepts ${policy.limit} ` +
      `(context length ${policy.contextLength}, less the room for the answer). ` +
      `System messages, tools and response schema take ${measure.prompt(view.systems)}` +
      `${latestUser === undefined ? '' : `, the latest user message takes ${measure.message(latestUser)}`}.`,
  });
}
