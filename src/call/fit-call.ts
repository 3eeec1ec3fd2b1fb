import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import type { Policy } from '../options/resolve-policy.ts';
import { shrinkMessages } from '../recovery/shrink-messages.ts';
import { keptMessages } from '../selection/kept-messages.ts';
import type { CallContext } from './call-context.ts';
import { legalCuts } from './choose-coverage.ts';
import { composePrompt, type Composition } from './compose-prompt.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import type { CallInspection } from './inspect-call.ts';
import type { TokenMeasure } from './token-measure.ts';
import { trimRecord } from './trim-record.ts';

/** A prompt and the record that stands in it. */
export interface Draft {
  readonly prompt: Prompt;
  readonly composition: Composition | undefined;
}

/** A prompt that fits the model. */
export interface FittedCall extends Draft {
  readonly tokens: number;
  /** What was done to make it fit; `undefined` when it fitted as it was. */
  readonly recovery?:
    | {
        readonly tokensBefore: number;
        readonly tokensAfter: number;
        readonly shortenedMessages: readonly number[];
      }
    | undefined;
}

/** Tokens of a summary's frame and of the notice that messages were left out, with room to spare. */
const noticeTokens = 150;

/** Characters that a first attempt leaves of an oversized text, and the least that is ever left. */
const shrinkFloors = { gentle: 2000, hard: 200 };

/**
 * Makes a prompt fit without a model, with the least that helps: condenses stale tool outputs to their
 * facts; shortens oversized tool outputs and older user messages; leaves out older messages behind a record that names them; leaves out what the
 * summary says. Nothing of this is stored: the next call may find a better way.
 *
 * @throws {ContextOverflowError} when even the smallest legal prompt certainly does not fit. One that may fit,
 * because the model's tokenizer is only guessed at, is sent: the provider knows.
 */
export async function fitCall(
  context: CallContext,
  inspection: CallInspection,
  measure: TokenMeasure,
  { prompt: before, composition }: Draft,
): Promise<FittedCall> {
  const { params, policy, view, style } = inspection;
  const fits = async (messages: readonly Message[]): Promise<boolean> => {
    await measure.count(messages, params.abortSignal);
    return measure.prompt(messages) <= policy.limit;
  };
  if (await fits(before)) return { prompt: before, composition, tokens: measure.prompt(before) };

  const current = { ...inspection, composition };
  const trimmed = async (
    cut: number | undefined,
    withContent: boolean,
  ): Promise<Composition | undefined> =>
    cut === undefined
      ? composition
      : composePrompt(
          view,
          style,
          await trimRecord(inspection, composition, cut, withContent),
          cut,
        );
  const cuts = legalCuts(current);
  const { conversation } = view;
  const verbatim = new Set(conversation.filter((_, index) => view.pinned.has(index)));
  const stale = new Set(
    conversation.slice(0, -policy.preserveRecent).filter((message) => !verbatim.has(message)),
  );
  const attempts = [
    { floor: shrinkFloors.gentle, compose: () => Promise.resolve(composition) },
    {
      floor: shrinkFloors.hard,
      compose: () => trimmed(firstThatFits(current, measure, cuts), true),
    },
    { floor: shrinkFloors.hard, compose: () => trimmed(cuts.at(-1), true) },
    { floor: shrinkFloors.hard, compose: () => trimmed(cuts.at(-1), false) },
  ];

  let smallest: FittedCall | undefined;
  for (const { floor, compose } of attempts) {
    // Each attempt is tried only when the gentler one before it has failed.
    const composed = await compose();
    const whole = composed?.prompt ?? params.prompt;
    const condensed = condenseToolResults(whole, stale, context.options);
    const prompt = await shrinkMessages(condensed, fits, {
      leastCharacters: floor,
      summary: composed?.text,
      verbatim,
    });
    const doesFit = await fits(prompt);
    const tokens = measure.prompt(prompt);
    const recovery = {
      tokensBefore: measure.prompt(before),
      tokensAfter: tokens,
      shortenedMessages: prompt.flatMap((message, index) =>
        message === whole[index] ? [] : [index],
      ),
    };
    const fitted = { prompt: [...prompt], composition: composed, tokens, recovery };
    if (doesFit) return fitted;
    if (smallest === undefined || tokens < smallest.tokens) smallest = fitted;
  }
  if (smallest !== undefined && mayFit(smallest.tokens, policy, measure)) return smallest;
  throw overflow(inspection, measure, smallest?.prompt ?? before);
}

/** Whether a prompt may fit after all: no tokenizer in use makes less of a text than o200k does. */
function mayFit(
  tokens: number,
  { limit, tokenMultiplierGiven }: Policy,
  { multiplier }: TokenMeasure,
): boolean {
  return !tokenMultiplierGiven && tokens / Math.max(1, multiplier) <= limit;
}

/** The earliest cut after which everything fits, so that as little as possible is left out. */
function firstThatFits(
  { view, policy, composition }: CallInspection,
  measure: TokenMeasure,
  cuts: readonly number[],
): number | undefined {
  const { conversation, systems } = view;
  const summaryTokens = composition?.record.metrics.outputTokens ?? 0;
  const room = policy.limit - measure.prompt(systems) - summaryTokens - noticeTokens;
  const fits = (cut: number): boolean => {
    const kept = keptMessages({ ...view, cut }).indexes;
    const keptTokens = kept.reduce(
      (total, index) => total + measure.messages(conversation.slice(index, index + 1)),
      0,
    );
    return keptTokens + measure.messages(conversation.slice(cut)) <= room;
  };
  // The later the cut the less is left, so the first that fits is found by bisection.
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(cuts[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return cuts[low] ?? cuts.at(-1);
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
