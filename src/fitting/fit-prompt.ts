import type { Composition } from '../composing/compose-prompt.ts';
import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import { shorterPrompts, type FittingTask } from './shorter-prompts.ts';

/** What a prompt must keep to. */
export interface FittingPolicy {
  /** Tokens the prompt may take. */
  readonly limit: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** Whether what the model makes of a text is known, not learned. */
  readonly tokenMultiplierGiven: boolean;
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
 * Makes a prompt fit without a model, with the least that helps: see `shorterPrompts`. Nothing of this is stored: the
 * next call may find a better way.
 *
 * @throws {ContextOverflowError} when even the smallest legal prompt certainly does not fit. One that may fit,
 * because the model's tokenizer is only guessed at, is sent: the provider knows.
 */
export async function fitPrompt(call: CallToFit): Promise<FittedCall> {
  const { policy, measure, composition: standing, abortSignal } = call;
  const { limit, tokenMultiplierGiven } = policy;
  await measure.count(call.prompt, abortSignal);
  const tokensBefore = measure.prompt(call.prompt);
  let smallest: FittedCall = {
    prompt: call.prompt,
    composition: standing,
    tokens: tokensBefore,
    counted: measure.counted(call.prompt),
  };
  // What fits by the figures that calls are decided on is not touched: the next call would send it whole.
  if (tokensBefore <= limit) return smallest;

  const target = tokenMultiplierGiven ? limit : limit * (1 - estimateMargin);
  // What was left out of a refused attempt is chosen anew, so that what the user said in it is kept.
  const composition = standing?.instead === undefined ? standing : standing.instead.of;
  for await (const shorter of shorterPrompts({ ...call, composition, target })) {
    // For what is left free because sizes are estimates, nothing of a summary is given up.
    if (shorter.losesSummary === true && smallest.tokens <= limit) break;
    const { prompt, shortenedMessages } = shorter;
    const tokens = measure.prompt(prompt);
    if (tokens >= smallest.tokens) continue;
    const shortening = { tokensBefore, tokensAfter: tokens, shortenedMessages };
    const counted = measure.counted(prompt);
    smallest = { prompt, composition: shorter.composition, tokens, counted, shortening };
    if (tokens <= target) return smallest;
  }
  if (measure.leastPrompt(smallest.prompt) <= limit) return smallest;
  throw overflowOf(call, smallest.prompt);
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
