import { errorEvidence, type ErrorEvidence } from './error-evidence.ts';
import { findSizeFigures, refusalIn, type StatedRefusal } from './refusal-words.ts';

/** A refusal of a request as too large, with the numbers that the provider states. */
export interface ContextOverflow {
  /**
   * Unit of `limit` and `tokens`: bytes of the request, pictures in it, or tokens.
   * @default tokens
   */
  readonly unit?: 'bytes' | 'images' | undefined;
  /** The accepted maximum. */
  readonly limit?: number | undefined;
  /** Whether the limit is one of the prompt alone, the answer not counted. */
  readonly isInputLimit?: boolean | undefined;
  /** The size of the prompt that was refused, as the provider counted it. */
  readonly tokens?: number | undefined;
  /** Tokens that were reserved for the answer. */
  readonly answerTokens?: number | undefined;
  /** Whether nothing says of what the size was: it may not be one of tokens. */
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
  'tokens_limit_reached',
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
  ['must be at least 1, got -'],
  ['contextwindowexceedederror'],
  ['context_length_exceeded'],
];

/** Words that turn a text with such a phrase into another matter: limits of a rate, and of a cache. */
const otherMatters =
  /rate[ _]limit|\(tpm\)|per min|per day|quota|too many requests|start caching|cached content/;

/** Words of the same, and of who may ask, what is paid for and what may be said, where no phrase is known. */
const otherWords =
  /rate[ _]?limit|\(tpm\)|\b[rt]pm\b|\b(?:per|this) (?:min|sec|day|hour|week|month)|quota|too many requests|(?:start caching|cached content)|api[ _-]?key|unauthori[sz]ed|expired|credit|billing|balance|\bspend|content[ _-]?(?:filter|policy|management)|safety|moderation|daily|weekly|monthly|month\b|subscription|\byour (?:\w{1,20} ){0,3}usage|(?:exceed|hit|reach)(?:ed|s)? your (?:(?!context|input|prompt)[\w-]{1,20} ){0,2}limit|try again (?:later|in \d|at \d)|retry[ -]after|overloaded|invalid json/;

/** Claude's subscriptions without extra usage take what all of its models do, under the status of a rate limit. */
const longContextAtExtraCost = /extra usage [^.]{0,40}(?:long context|1m context)/;
const usualClaudeLength = 200_000;

/** Parts of codes by which a refusal is about rates, load or permission. */
const otherCodes =
  /rate_?limit|throttl|too_?many_?requests|resource_exhausted|quota|overloaded|authentication|permission|unauthorized/;

/** Statuses of the same: no overflow is reported under them. 5xx are not here, llama.cpp used 500. */
const otherStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 409, 429, 529]);

/** A number of at most 15 digits, separators included; without the bound a long run would be read again and again. */
const number = String.raw`(\d(?:[\d,._'\u00a0\u202f]{0,18}\d)?)`;

/** Finds a number where a form has `#`. */
const numberIn = (form: string): RegExp => new RegExp(form.replaceAll('#', number), 'g');

/** Limits of prompt and answer together. */
const totalLimits = [
  '(?:maximum context length(?: is| of|:)|while limit is|context length of only|model token limit:) #',
  '# maximum context length',
].map(numberIn);

/** Limits of the prompt alone. */
const inputLimits = [
  '(?:configured limit of|maximum prompt length is|exceeds the limit of) #',
  String.raw`maximum number of tokens allowed \(#`,
  '> # maximum',
].map(numberIn);

const promptTokens = [
  '(?:resulted in|too long:|token count of|request contains|prompt contains) #',
  '(?:your request has|current length is|keep the first) #',
  String.raw`input token count \(#`,
].map(numberIn);

/** Tokens of prompt and answer together, unless nothing was reserved. */
const requestedTokens = [numberIn('requested:?(?: about)? #')];

const answerTokens = [numberIn('# in the (?:completion|output)')];

/** Anthropic's sum: prompt, answer, limit. From the beginning of a number only, or a run is read at each digit. */
const sum = numberIn(String.raw`(?<![\d,._'\u00a0\u202f])# \+ # > #`);

/** How Groq and OpenAI say what one request may take of the tokens of a minute or day, and what it would. */
const requestOverRate = numberIn('limit:? #,? requested:? #');

/** A rate counts the answer too, by an estimate of its own, and others use it at the same time. */
const usableRate = 0.8;

/** A smaller limit is none of a model but another number of the text. */
const leastLimit = 256;

/**
 * Says whether an error is the refusal of a request as too large, by its tokens, its bytes or the number of its pictures,
 * whoever served the model and in whatever words: one that passes once the conversation is shorter. It is none where the
 * answer, a tool or a single picture is too large, for rate limits that pass, authentication and malformed requests. It
 * takes an error of the AI SDK, a part of a stream, a body or a text.
 *
 * @returns what the error says of limit and size, an object without fields where it says nothing; else `false`.
 */
export function isContextOverflow(error: unknown): false | ContextOverflow {
  return contextOverflowOf(error) ?? false;
}

/**
 * Recognizes the error by which a provider refuses a prompt that is too long for the model, and reads
 * the numbers it states; `undefined` for every other error. A limit of tokens a minute is one where a single
 * request is above it: no waiting helps. Looks into
 * `APICallError` (message, body, data), bodies that gateways wrap, `cause` chains, the last error of a
 * `RetryError` and error parts of streams, 20,000 characters at the most.
 *
 * @param sent - The prompt, or the body of the request: words and numbers that stand in it are not the provider's.
 * @param sentTokens - Our count of it, by which figures of a text without known words are recognized.
 */
export function contextOverflowOf(
  error: unknown,
  sent?: unknown,
  sentTokens?: number,
): ContextOverflow | undefined {
  const evidence = errorEvidence(error);
  const overflow = overflowIn(evidence, () => false, sentTokens);
  // Most errors are none, whatever they quote: what was sent is not read for them.
  return overflow === undefined || sent === undefined
    ? overflow
    : overflowIn(evidence, quotedIn(sent), sentTokens);
}

/** Says whether some words of an error, in lower case, stand in what was sent. */
type IsQuoted = (words: string) => boolean;

function overflowIn(
  evidence: ErrorEvidence,
  isQuoted: IsQuoted,
  sentTokens?: number,
): ContextOverflow | undefined {
  const { codes, statuses } = evidence;
  if (evidence.texts.some((text) => longContextAtExtraCost.test(text)))
    return { limit: usualClaudeLength, isInputLimit: true };
  const rates = evidence.texts.map((text) => rateLimitOf(text, isQuoted));
  const rate = rates.find((limit) => limit !== undefined);
  if (rate !== undefined) return { limit: rate };
  if (statuses.some((status) => otherStatuses.has(status))) return undefined;
  if (codes.some((code) => otherCodes.test(code))) return undefined;

  const texts = evidence.texts.filter((text) => !otherMatters.test(text));
  const telling = texts.filter((text) => phrasesOf(text).length > 0);
  const hasCode = codes.some((code) => overflowCodes.has(code));
  if (telling.length === 0 && !hasCode) {
    const words = [...evidence.texts, ...codes].filter((text) => !otherWords.test(text));
    const said = saidIn(words, isQuoted, sentTokens);
    // Cerebras refuses an overflow without a word. Whatever was too large, a smaller request may pass.
    if (said === undefined && statuses.includes(413))
      return evidence.hasEmptyBody ? { isUnexplained: true } : { unit: 'bytes' };
    return said;
  }
  const numbers = numbersOf(evidence, telling.length === 0 ? texts : telling, isQuoted);
  // A number that was not sent is the provider's own word, and what stands around it too.
  const isOwn =
    hasCode ||
    Object.keys(numbers).length > 0 ||
    telling.flatMap(phrasesOf).some((phrase) => !phrase.every(isQuoted));
  return isOwn ? numbers : { isQuoted: true };
}

/** Findings of the first text about a request that is too large. */
function saidIn(
  texts: readonly string[],
  isQuoted: IsQuoted,
  sentTokens: number | undefined,
): ContextOverflow | undefined {
  const refusals = texts.flatMap((text): readonly StatedRefusal[] => {
    const near = sentTokens === undefined ? undefined : findSizeFigures(text, sentTokens);
    const refusal = refusalIn(text) ?? near;
    return refusal === undefined ? [] : [refusal];
  });
  const refusal = refusals.find(({ words }) => !isQuoted(words));
  if (refusal === undefined) return refusals.length === 0 ? undefined : { isQuoted: true };
  const { unit, words: _, limit, size: tokens, ...rest } = refusal;
  if (unit !== 'tokens') return stated({ unit, limit, tokens });
  return stated({ ...rest, limit: plausible(limit), tokens });
}

/** Without what is not known. */
function stated(overflow: ContextOverflow): ContextOverflow {
  return Object.fromEntries(Object.entries(overflow).filter(([, value]) => value !== undefined));
}

/** The phrases by which a text speaks of an overflow. */
function phrasesOf(text: string): readonly (readonly string[])[] {
  return overflowPhrases.filter((phrase) => phrase.every((words) => text.includes(words)));
}

/** The stated figures, fields before texts, the first statement of each. */
function numbersOf(
  { limit, tokens }: ErrorEvidence,
  texts: readonly string[],
  isQuoted: IsQuoted,
): ContextOverflow {
  const said = texts.map((text) => statedTokens(text, isQuoted));
  const { limit: saidLimit, isInputLimit } = said.find((entry) => entry.limit !== undefined) ?? {};
  // If two figures stand beside known words, one is the limit, whatever surrounds them.
  const other = texts.map(refusalIn).find((refusal) => refusal?.limit && refusal.size);
  if (limit === undefined && saidLimit === undefined && other?.unit === 'tokens')
    return stated({ limit: plausible(other.limit), tokens: other.size });
  return stated({
    limit: limit ?? saidLimit,
    isInputLimit: limit === undefined ? isInputLimit : undefined,
    tokens: tokens ?? said.find((entry) => entry.tokens !== undefined)?.tokens,
    answerTokens: said.find((entry) => entry.answerTokens !== undefined)?.answerTokens,
  });
}

/** Reads the numbers that the text of an overflow error states, in lower case, with or without separators. */
function statedTokens(text: string, isQuoted: IsQuoted): ContextOverflow {
  const [total, prompt, answer] = numbersAt(sum, text, isQuoted);
  if (total !== undefined) return { limit: plausible(answer), tokens: total, answerTokens: prompt };
  const firstOf = (patterns: readonly RegExp[]): number | undefined =>
    patterns.flatMap((pattern) => numbersAt(pattern, text, isQuoted).slice(0, 1))[0];
  const ofAnswer = firstOf(answerTokens);
  const requested = firstOf(requestedTokens);
  const tokens = firstOf(promptTokens) ?? (requested ?? 0) - (ofAnswer ?? 0);
  const ofAll = plausible(firstOf(totalLimits));
  const ofPrompt = ofAll === undefined ? plausible(firstOf(inputLimits)) : undefined;
  return {
    limit: ofAll ?? ofPrompt,
    isInputLimit: ofPrompt === undefined ? undefined : true,
    tokens: tokens > 0 ? tokens : undefined,
    answerTokens: ofAnswer,
  };
}

/**
 * Reads the limit of tokens that a single request is above, as a length to keep to. The text is in lower case.
 * `undefined` where the request would pass later.
 */
function rateLimitOf(text: string, isQuoted: IsQuoted): number | undefined {
  if (!/\bper (?:min|day|hour)/.test(text)) return undefined;
  const [limit = 0, requested = 0] = numbersAt(requestOverRate, text, isQuoted);
  return requested > limit ? plausible(Math.floor(limit * usableRate)) : undefined;
}

/** The numbers of the first match that is not quoted. */
function numbersAt(pattern: RegExp, text: string, isQuoted: IsQuoted): readonly number[] {
  for (const [match, ...digits] of text.matchAll(pattern))
    if (!isQuoted(match)) return digits.map((each) => Number(each.replaceAll(/\D/g, '')));
  return [];
}

function plausible(limit: number | undefined): number | undefined {
  return limit !== undefined && limit >= leastLimit ? limit : undefined;
}

/** Words looked for in one prompt at the most: an error may repeat itself, and a prompt be of any size. */
const maxLookups = 64;

/** Looks for words of an error in all that was sent: a provider that quotes them says nothing of itself. */
function quotedIn(sent: unknown): IsQuoted {
  const json = JSON.stringify(sent, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? '' : value,
  );
  const text = normal(json.replaceAll(/\\[nrt]/g, ' ').replaceAll('\\"', '"'));
  let lookups = 0;
  return (words) => {
    lookups += 1;
    return lookups > maxLookups || text.includes(normal(words));
  };
}

function normal(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ');
}
