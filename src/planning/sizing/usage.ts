import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { AssistantMessage } from '../../prompt/messages/prompt-types.ts';
import { totalOf, type PromptScan } from '../../sizes/tokens/scan-prompt.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { sumOf } from '../../foundations/util/numbers.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** The valid figures of a usage. */
interface UsageFigures {
  /** Tokens of the prompt, cached ones included; more than 0. */
  readonly inputTokens: number;
  /** Tokens of the prompt that came from a cache, and that were written to one: together no more than all. */
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Tokens of reasoning among the output tokens. */
  readonly reasoningTokens: number | undefined;
}

/**
 * Reads the usage that a provider reported; `undefined` if it does not give the size of the prompt. An invalid or
 * negative figure counts as missing, and so does a usage that a provider without types leaves out. Some providers
 * report cached tokens beside the others, not among them: then they are added. If the usage is a sum over several
 * requests of the provider, only the first request counts, which received the prompt.
 */
export function readUsage(
  usage: LanguageModelV4Usage | undefined,
  providerMetadata?: SharedV4ProviderMetadata,
): UsageFigures | undefined {
  const { total, noCache, cacheRead, cacheWrite } = usage?.inputTokens ?? {};
  const [read, written] = [figureOf(cacheRead), figureOf(cacheWrite)];
  const cached = (read ?? 0) + (written ?? 0);
  const fresh = figureOf(noCache);
  const stated = figureOf(total) ?? fresh;
  if (stated === undefined) return undefined;
  const isApart = figureOf(total) === undefined || cached > stated || (fresh ?? -1) >= stated;
  // A total below its uncached part is invalid.
  const summed = isApart ? Math.max(stated, stated > 0 ? (fresh ?? 0) : 0) + cached : stated;
  const inputTokens = firstRequestTokens(summed, usage?.raw, providerMetadata);
  if (inputTokens === undefined || inputTokens <= 0) return undefined;
  return {
    inputTokens,
    cacheReadTokens: read && Math.min(read, inputTokens),
    cacheWriteTokens: written && Math.min(written, inputTokens - (read ?? 0)),
    outputTokens: figureOf(usage?.outputTokens?.total),
    reasoningTokens: figureOf(usage?.outputTokens?.reasoning),
  };
}

function figureOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/**
 * Returns the tokens of the prompt as it was sent if a total is a sum over requests: Gemini's continuations, which
 * Google's package reports in its metadata, results of Gemini's own tools, and Anthropic's iterations. `undefined` if
 * they are unknown: after its own compaction, a provider read another prompt.
 */
function firstRequestTokens(
  summed: number,
  raw: unknown,
  metadata: SharedV4ProviderMetadata | undefined,
): number | undefined {
  for (const own of Object.values(metadata ?? {})) {
    const first = figureOf(isObject(own) ? own['initialPromptTokenCount'] : undefined);
    if (first !== undefined) return first;
  }
  if (!isObject(raw)) return summed;
  const iterations = raw['iterations'];
  if (!Array.isArray(iterations) || iterations.length < 2)
    return summed - (figureOf(raw['toolUsePromptTokenCount']) ?? 0);
  const [first]: unknown[] = iterations;
  if (!isObject(first) || first['type'] !== 'message') return undefined;
  const parts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  // Cache figures of the total that its iterations lack cannot be shared out.
  const isWhole = parts.every(
    (name) => first[name] !== undefined || (figureOf(raw[name]) ?? 0) === 0,
  );
  return isWhole ? sumOf(parts, (name) => figureOf(first[name]) ?? 0) : undefined;
}

/** Usage that a provider reported for one call. */
export interface ReportedUsage extends UsageFigures {
  /** Characters of the answer: its texts, reasoning and tool-call inputs. */
  readonly answerCharacters: number;
}

/**
 * Names the calls to which a usage may apply: those of a model, in one store and namespace, with the same record in the
 * prompt. Usage from before the last summarization no longer applies.
 */
export function usageScope(
  modelKey: string,
  composition: { readonly record: { readonly id: string } } | undefined,
): string {
  return `${modelKey} ${composition?.record.id}`;
}

/** A prompt that begins like one whose size the provider has reported. */
export interface UsageAnchor {
  /** Tokens that were reported for the beginning, the answer included if it is there. */
  readonly tokens: number;
  /** Tokens that were reported for the prompt alone. */
  readonly inputTokens: number;
  /** Tokens of the prompt that came from the provider's cache. */
  readonly cacheReadTokens: number | undefined;
  /** Index, after the leading system messages, of the first message that the report does not cover. */
  readonly rest: number;
}

/** Calls remembered in a process, about 300 bytes each. */
const maxUsages = 20_000;

/** How many messages back the last call is looked for: it is nearly always one or two. */
const mostNew = 256;

/**
 * Characters a token can hold on average. English takes 4 to 5; a report of fewer tokens than an eighth of the
 * characters belongs to a prompt that was cut off.
 */
const mostAverageCharacters = 8;

/** Remembers the sizes that providers reported. It holds no text. */
export class UsageMemory {
  readonly #entries = boundedMap<ReportedUsage>(maxUsages);

  /** Remembers a report, unless it is less than the prompt can have taken; returns the prompt's name by its sizes. */
  remember(scan: PromptScan, scope: string, usage: ReportedUsage): string | undefined {
    const { sizes, characters } = scan;
    if (sizes.length === 0 || usage.inputTokens * mostAverageCharacters < characters)
      return undefined;
    const name = `${scan.systemCharacters} ${prefixKey(scan, sizes.length)}`;
    this.#entries.set(`${scope} ${name}`, usage);
    return name;
  }

  /** Remembers a report that another process has stored under the name of its prompt. */
  restore(scope: string, name: string, usage: ReportedUsage): void {
    const key = `${scope} ${name}`;
    if (this.#entries.peek(key) === undefined) this.#entries.set(key, usage);
  }

  /** Finds the longest beginning of a prompt that a report covers. */
  find(scan: PromptScan, scope: string): UsageAnchor | undefined {
    if (this.#entries.size() === 0) return undefined;
    let sent = scan.sizes.length;
    for (const key of prefixKeys(scan)) {
      // Leading system messages must have the same length too: a date keeps its length, a retrieved text does not.
      const entry = this.#entries.get(`${scope} ${scan.systemCharacters} ${key}`);
      if (entry !== undefined) return anchorOf(entry, scan, sent);
      sent -= 1;
    }
    return undefined;
  }
}

/**
 * Yields keys for the beginnings of a prompt, the longest first: the number of messages, and the sizes of all of them,
 * the first, the last and the tools. Two prompts with the same key take about as many tokens, even if their words
 * differ.
 */
function* prefixKeys(
  { sizes, overhead }: PromptScan,
  end: number = sizes.length,
): Generator<string, void, undefined> {
  let { bound, characters } = totalOf(sizes.slice(0, end));
  const [first] = sizes;
  const whole = `${overhead.bound} ${overhead.characters} ${first?.bound} ${first?.characters}`;
  const least = Math.max(1, end - mostNew);
  for (let count = end; count >= least; count -= 1) {
    const last = sizes[count - 1];
    yield `${whole} ${count} ${bound} ${characters} ${last?.bound} ${last?.characters}`;
    bound -= last?.bound ?? 0;
    characters -= last?.characters ?? 0;
  }
}

/** Returns the key of prompts that begin with the same messages, up to an index after the leading system messages. */
export function prefixKey(scan: PromptScan, end: number): string {
  const [key = ''] = prefixKeys(scan, end);
  return key;
}

function anchorOf(entry: ReportedUsage, scan: PromptScan, sentMessages: number): UsageAnchor {
  const { inputTokens, cacheReadTokens, answerCharacters } = entry;
  const answer = scan.prompt[scan.start + sentMessages];
  // Output tokens cover only the model's own text, not an answer that was edited since.
  const isAnswered =
    answer?.role === 'assistant' &&
    (scan.sizes[sentMessages]?.characters ?? 0) <= answerCharacters * 1.05 + 200;
  const answerTokens = isAnswered ? sentOutput(entry, answer.content) : undefined;
  return {
    tokens: inputTokens + (answerTokens ?? 0),
    inputTokens,
    cacheReadTokens,
    rest: sentMessages + (answerTokens === undefined ? 0 : 1),
  };
}

/**
 * Returns the tokens of an answer in the next prompt; `undefined` without a credible report. Most clients and providers
 * drop its reasoning, which was billed as output; the rest cannot be less than its characters take.
 */
function sentOutput(
  { outputTokens = 0, reasoningTokens = 0, answerCharacters }: ReportedUsage,
  content: AssistantMessage['content'],
): number | undefined {
  const least = answerCharacters / mostAverageCharacters;
  if (outputTokens === 0 || outputTokens < least) return undefined;
  const isSent = content.some(({ type }) => type === 'reasoning');
  return isSent ? outputTokens : Math.max(outputTokens - reasoningTokens, least);
}
