import { errorEvidence, type ErrorEvidence } from './error-evidence.ts';
import type { IsQuoted } from './quoted-text.ts';
import { rateLimitOf, statedTokens, type StatedTokens } from './stated-tokens.ts';

/** A context overflow, with the numbers that the provider states. */
export interface ContextOverflow extends StatedTokens {
  /** Whether the provider refused the size of a request without a word: it may not be one of tokens. */
  readonly isUnexplained?: boolean | undefined;
  /** Whether all that speaks of an overflow stands in what was sent too. */
  readonly isQuoted?: boolean | undefined;
}

/** Codes and types that mean nothing else. */
const overflowCodes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'contextwindowexceedederror',
  'exceed_context_size_error',
  'model_context_window_exceeded',
  'model_max_prompt_tokens_exceeded',
]);

/** Phrases of overflow errors, each the words that must occur together. Substrings: nothing can blow up. */
const overflowPhrases: readonly (readonly string[])[] = [
  ['prompt is too long'],
  ['prompt too long'],
  ['prompt exceeds max length'],
  ['exceed context limit'],
  ['exceeds the context window'],
  ['exceed the context window'],
  ['maximum context length'],
  ['input token count', 'exceeds the maximum'],
  ['input is too long for requested model'],
  ['maximum prompt length is'],
  ['reduce the length of the messages'],
  ['reduce the length of either one'],
  ['token count of', 'exceeds the limit of'],
  ['exceeds the available context size'],
  ['context length of only'],
  ['greater than the context length'],
  ['context window exceeds limit'],
  ['exceeded model token limit'],
  ['input tokens exceed the configured limit'],
  ['contextwindowexceedederror'],
  ['context_length_exceeded'],
];

/** Words that turn a text with such a phrase into another matter: limits of a rate, and of a cache. */
const otherMatters = [
  'rate limit',
  'rate_limit',
  '(tpm)',
  'per minute',
  'per min',
  'per day',
  'quota',
  'too many requests',
  'start caching',
  'cached content',
];

/** Parts of codes by which a refusal is about rates, load or permission. */
const otherCodes = [
  'rate_limit',
  'ratelimit',
  'throttl',
  'too_many_requests',
  'toomanyrequests',
  'resource_exhausted',
  'quota',
  'overloaded',
  'authentication',
  'permission',
  'unauthorized',
];

/** Statuses of the same: no overflow is reported under them. 5xx are not here, llama.cpp used 500. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429, 529]);

/**
 * Recognises the error by which a provider refuses a prompt that is too long for the model, and reads
 * the numbers it states; `undefined` for every other error. A limit of tokens a minute is one where a single
 * request is above it: no waiting helps. Looks into
 * `APICallError` (message, body, data), bodies that gateways wrap, `cause` chains, the last error of a
 * `RetryError` and error parts of streams, 20,000 characters at the most.
 *
 * @param isQuoted - Finds words in what was sent: numbers among them are not the provider's.
 */
export function contextOverflowOf(
  error: unknown,
  isQuoted: IsQuoted = () => false,
): ContextOverflow | undefined {
  const evidence = errorEvidence(error);
  const { codes, statuses } = evidence;
  const rate = evidence.texts
    .map((text) => rateLimitOf(text, isQuoted))
    .find((limit) => limit !== undefined);
  if (rate !== undefined) return { limit: rate };
  if (statuses.some((status) => otherStatuses.has(status))) return undefined;
  if (codes.some((code) => otherCodes.some((part) => code.includes(part)))) return undefined;

  const texts = evidence.texts.filter(
    (text) => !otherMatters.some((words) => text.includes(words)),
  );
  const hasCode = codes.some((code) => overflowCodes.has(code));
  const spoken = texts.map((text) => ({
    text,
    phrases: overflowPhrases.filter((phrase) => phrase.every((words) => text.includes(words))),
  }));
  const telling = spoken.filter(({ phrases }) => phrases.length > 0);
  if (telling.length === 0 && !hasCode)
    // Cerebras refuses an overflow without a word. Whatever was too large, a smaller request may pass.
    return evidence.hasEmptyBody && statuses.includes(413) ? { isUnexplained: true } : undefined;
  const said = telling.length === 0 ? texts : telling.map(({ text }) => text);
  const numbers = numbersOf(evidence, said, isQuoted);
  // A number that was not sent is the provider's own word, and what stands around it too.
  const isOwn =
    hasCode ||
    Object.keys(numbers).length > 0 ||
    telling.some(({ phrases }) => phrases.some((phrase) => !phrase.every(isQuoted)));
  return isOwn ? numbers : { isQuoted: true };
}

function numbersOf(
  { limit, tokens }: ErrorEvidence,
  texts: readonly string[],
  isQuoted: IsQuoted,
): ContextOverflow {
  const stated = texts.map((text) => statedTokens(text, isQuoted));
  const withLimit = stated.find((entry) => entry.limit !== undefined);
  const found: Record<keyof StatedTokens, StatedTokens[keyof StatedTokens]> = {
    limit: limit ?? withLimit?.limit,
    isInputLimit: limit === undefined && withLimit?.isInputLimit === true ? true : undefined,
    tokens: tokens ?? stated.find((entry) => entry.tokens !== undefined)?.tokens,
    answerTokens: stated.find((entry) => entry.answerTokens !== undefined)?.answerTokens,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
