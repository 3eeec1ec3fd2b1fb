import type { IsQuoted } from './quoted-text.ts';

/** Token numbers that the text of an overflow error states. */
export interface StatedTokens {
  /** Tokens the model accepts. */
  readonly limit?: number | undefined;
  /** Whether the limit is one of the prompt alone, the answer not counted. */
  readonly isInputLimit?: boolean | undefined;
  /** Tokens of the prompt that was refused, as the provider counted them. */
  readonly tokens?: number | undefined;
  /** Tokens that were reserved for the answer. */
  readonly answerTokens?: number | undefined;
}

/** A number of at most 15 digits, separators included; without the bound a long run would be read again and again. */
const number = String.raw`(\d[\d,._'\u00a0\u202f]{0,19})`;

function after(words: string): RegExp {
  return new RegExp(`${words}${number}`, 'g');
}

function before(words: string): RegExp {
  return new RegExp(`${number}${words}`, 'g');
}

/** Limits of prompt and answer together. */
const totalLimits = [
  after('maximum context length(?: is| of|:) '),
  before(' maximum context length'),
  after('while limit is '),
  after('context length of only '),
  after('model token limit: '),
];

/** Limits of the prompt alone. */
const inputLimits = [
  after('configured limit of '),
  after(String.raw`maximum number of tokens allowed \(`),
  after('maximum prompt length is '),
  after('exceeds the limit of '),
  new RegExp(`> ${number} maximum`, 'g'),
];

const promptTokenPhrases = [
  after('resulted in '),
  after('too long: '),
  after(String.raw`input token count \(`),
  after('token count of '),
  after('request contains '),
  after('prompt contains '),
  after('your request has '),
  after('current length is '),
  after('keep the first '),
];

/** Tokens of prompt and answer together, unless nothing was reserved. */
const requestedTokens = [after('requested about '), after('requested '), after('requested: ')];

const answerTokens = [before(' in the completion'), before(' in the output')];

/** Anthropic's sum: prompt, answer, limit. From the beginning of a number only, or a run is read at each digit. */
const sum = new RegExp(
  String.raw`(?<![\d,._'\u00a0\u202f])${number} \+ ${number} > ${number}`,
  'g',
);

/** A smaller limit is none of a model but another number of the text. */
const leastLimit = 256;

/**
 * Reads the numbers that an overflow error states, with or without separators. The text is in lower case.
 * What it quotes is passed over.
 */
export function statedTokens(text: string, isQuoted: IsQuoted): StatedTokens {
  const firstOf = (patterns: readonly RegExp[]): number | undefined => {
    for (const pattern of patterns) {
      const found = firstOwn(pattern, text, isQuoted)?.[1];
      if (found !== undefined) return valueOf(found);
    }
    return undefined;
  };
  const parts = firstOwn(sum, text, isQuoted);
  if (parts !== undefined) {
    const [tokens, answer, limit] = parts.slice(1).map(valueOf);
    return { limit: plausible(limit), tokens, answerTokens: answer };
  }
  const answer = firstOf(answerTokens);
  const requested = firstOf(requestedTokens);
  const tokens =
    firstOf(promptTokenPhrases) ??
    (requested === undefined ? undefined : requested - (answer ?? 0));
  const total = plausible(firstOf(totalLimits));
  const input = total === undefined ? plausible(firstOf(inputLimits)) : undefined;
  return {
    limit: total ?? input,
    isInputLimit: input !== undefined,
    tokens: tokens === undefined || tokens <= 0 ? undefined : tokens,
    answerTokens: answer,
  };
}

/** How Groq and OpenAI say what one request may take of the tokens of a minute or day, and what it would. */
const requestOverRate = new RegExp(String.raw`limit:? ${number} requested:? ${number}`, 'g');

/** A rate counts the answer too, by an estimate of its own, and others use it at the same time. */
const usableRate = 0.8;

/**
 * Reads the limit of tokens that a single request is above, as a length to keep to: 0.8 of it. The text is in lower
 * case. `undefined` where the request would pass later.
 */
export function rateLimitOf(text: string, isQuoted: IsQuoted): number | undefined {
  if (!/\bper (?:min|day|hour)/.test(text)) return undefined;
  const [, limit = '', requested = ''] = firstOwn(requestOverRate, text, isQuoted) ?? [];
  const length = Math.floor(valueOf(limit) * usableRate);
  return valueOf(requested) > valueOf(limit) ? plausible(length) : undefined;
}

function firstOwn(pattern: RegExp, text: string, isQuoted: IsQuoted): RegExpExecArray | undefined {
  for (const match of text.matchAll(pattern)) {
    // A quotation may end where the number does, and its marks pass for separators.
    if (!isQuoted(withoutEnd(match[0]))) return match;
  }
  return undefined;
}

const separators: ReadonlySet<string | undefined> = new Set([
  ',',
  '.',
  '_',
  "'",
  '\u00a0',
  '\u202f',
]);

function withoutEnd(text: string): string {
  let end = text.length;
  while (separators.has(text[end - 1])) end -= 1;
  return text.slice(0, end);
}

function valueOf(digits: string): number {
  return Number(digits.replaceAll(/\D/g, ''));
}

function plausible(limit: number | undefined): number | undefined {
  return limit !== undefined && limit >= leastLimit ? limit : undefined;
}
