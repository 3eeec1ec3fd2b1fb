import { composePrompt, type Composition } from '../composing/compose-prompt.ts';
import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import { legalCuts } from '../selection/legal-cuts.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { condenseToolResults } from './condense-tool-results.ts';
import type { FittingTask } from './counted-conversation.ts';
import { fitToRoom } from './fit-to-room.ts';
import type { ShortenedPrompt } from './fitting-draft.ts';
import { shrinkMessages } from './shrink-messages.ts';
import { trimRecord } from './trim-record.ts';

/** What a prompt must keep to. */
export interface FittingPolicy {
  /** Tokens the prompt may take. */
  readonly limit: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** Whether what the model makes of a text is known, not learned. */
  readonly tokenMultiplierGiven: boolean;
  /** Messages at the end whose tool outputs stay as long as others can give way. */
  readonly preserveRecent: number;
}

/** A prompt and the record that stands in it. */
export interface Draft {
  readonly prompt: Prompt;
  readonly composition: Composition | undefined;
}

/** A prompt that may be too long, and what a shorter one is written from. */
export interface CallToFit extends Draft, Omit<FittingTask, 'target'> {
  readonly policy: FittingPolicy;
}

/** A prompt that fits the model. */
export interface FittedCall extends Draft {
  readonly tokens: number;
  /** Tokens under o200k, if it was counted. */
  readonly counted: number | undefined;
  /** What was done to make it fit; `undefined` when it fitted as it was. */
  readonly shortening?:
    | {
        readonly tokensBefore: number;
        readonly tokensAfter: number;
        readonly shortenedMessages: readonly number[];
      }
    | undefined;
}

/** Share of the limit that a shortened prompt leaves free where the model's tokenizer is not ours. */
const estimateMargin = 0.05;

/**
 * Makes a prompt fit without a model, with the least that helps: see `fitToRoom`. Where what must stay
 * does not leave the room for that, everything that may be left out is, and the rest shortened; at last
 * what the summary and the live state say goes too. Nothing of this is stored: the next call may find a better way.
 *
 * @throws {ContextOverflowError} when even the smallest legal prompt certainly does not fit. One that may fit,
 * because the model's tokenizer is only guessed at, is sent: the provider knows.
 */
export async function fitCall(call: CallToFit): Promise<FittedCall> {
  const { policy, measure, composition: standing, abortSignal } = call;
  const { limit, tokenMultiplierGiven } = policy;
  await measure.count(call.prompt, abortSignal);
  const tokensBefore = measure.prompt(call.prompt);
  const asItIs = { prompt: call.prompt, composition: standing, tokens: tokensBefore };
  // What fits by the figures that calls are decided on is not touched: the next call would send it whole.
  if (tokensBefore <= limit) return { ...asItIs, counted: measure.counted(call.prompt) };

  const task = {
    ...call,
    // What was left out of the refused attempt is chosen anew, so that what the user said in it is kept.
    composition: standing?.instead === undefined ? standing : standing.instead.of,
    target: tokenMultiplierGiven ? limit : limit * (1 - estimateMargin),
  };
  let smallest: FittedCall = { ...asItIs, counted: measure.counted(call.prompt) };
  // Each attempt is made only when the gentler one before it has failed.
  for (const attempt of [
    () => fitToRoom(task),
    () => shortenAll(task, true),
    () => shortenAll(task, false),
  ]) {
    const shortened = await attempt();
    if (shortened === undefined) continue;
    const prompt = [...shortened.prompt];
    await measure.count(prompt, abortSignal);
    const tokens = measure.prompt(prompt);
    const { shortenedMessages, composition } = shortened;
    const shortening = { tokensBefore, tokensAfter: tokens, shortenedMessages };
    const fitted = { prompt, composition, tokens, counted: measure.counted(prompt), shortening };
    if (tokens <= task.target) return fitted;
    if (tokens < smallest.tokens) smallest = fitted;
  }
  if (measure.leastPrompt(smallest.prompt) <= limit) return smallest;
  throw overflowOf(call, smallest.prompt);
}

/** The least characters that are ever left of a text. */
const leastTextCharacters = 200;

/** Leaves out all that may be, and shortens the rest: all but the recent messages, then what is largest. */
async function shortenAll(
  task: FittingTask & Pick<CallToFit, 'policy'>,
  withContent: boolean,
): Promise<ShortenedPrompt> {
  const { view, measure, abortSignal } = task;
  const { systems, conversation, pinned } = view;
  const slices = timeSlices({ abortSignal });
  const { composition: standing } = task;
  // Where the record stands for all that one may stand for, what it says can go still.
  const cut =
    (await legalCuts(view, standing?.cut ?? 0, slices)).at(-1) ??
    (withContent ? undefined : standing?.cut);
  const style = withContent ? task.style : { ...task.style, liveState: undefined };
  const composition =
    cut === undefined
      ? standing
      : await composePrompt(
          view,
          style,
          { record: await trimRecord(task, cut, withContent), cut },
          slices,
        );
  const whole = composition?.prompt ?? [...systems, ...conversation];
  const verbatim = new Set(conversation.filter((_, index) => pinned.has(index)));
  const stale = new Set(
    conversation.slice(0, -task.policy.preserveRecent).filter((message) => !verbatim.has(message)),
  );
  await slices.pause();
  const condensed = await condenseToolResults(whole, stale, slices, task.toolResults);
  const fits = async (messages: readonly Message[]): Promise<boolean> => {
    await measure.count(messages, abortSignal);
    return measure.prompt(messages) <= task.target;
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

function overflowOf(
  { measure, view, policy: { limit, contextLength } }: CallToFit,
  smallest: readonly Message[],
): ContextOverflowError {
  const tokens = measure.prompt(smallest);
  const latestUser = smallest.findLast((message) => message.role === 'user');
  return new ContextOverflowError({
    tokens,
    limit,
    message:
      `The smallest prompt that can be sent takes ${tokens} tokens, the model accepts ${limit} ` +
      `(context length ${contextLength}, less the room for the answer). ` +
      `System messages, tools and response schema take ${measure.prompt(view.systems)}` +
      `${latestUser === undefined ? '' : `, the latest user message takes ${measure.message(latestUser)}`}.`,
  });
}
