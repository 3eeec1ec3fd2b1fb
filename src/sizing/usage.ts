import type { LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { AssistantMessage } from '../prompt/prompt-types.ts';
import { totalOf, type PromptScan } from '../tokens/scan-prompt.ts';
import { isObject } from '../util/is-object.ts';
import { sumOf } from '../util/numbers.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';

/** The figures of a usage that are figures. */
interface UsageFigures {
  /** Tokens of the prompt, cached ones included; more than 0. */
  readonly inputTokens: number;
  /** Tokens of it that came from a cache, and that were written to one: together no more than all. */
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Tokens of reasoning among them. */
  readonly reasoningTokens: number | undefined;
}

/**
 * Reads what a provider reported; `undefined` when it says nothing of the prompt. A figure that is none,
 * or negative, is as good as missing, and so is a usage that a provider without types leaves out. Some providers
 * report cached tokens beside the others, not among them: then they are added. Of a sum over several requests of the
 * provider, the first counts, which was sent the prompt.
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
  // A total below its uncached part is none.
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
 * Tokens of the prompt as it was sent, where a total is a sum over requests: Gemini's continuations, which the package of
 * Google tells in its metadata, results of its own tools, and Anthropic's iterations. `undefined` where none is known:
 * behind a compaction of the provider it read another prompt.
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
  // Top-level figures of a cache that its iterations do not have cannot be shared out.
  const isWhole = parts.every(
    (name) => first[name] !== undefined || (figureOf(raw[name]) ?? 0) === 0,
  );
  return isWhole ? sumOf(parts, (name) => figureOf(first[name]) ?? 0) : undefined;
}

/** What a provider reported of one call. */
export interface ReportedUsage extends UsageFigures {
  /** Characters of the answer: its texts, reasoning and tool-call inputs. */
  readonly answerCharacters: number;
}

/**
 * Names the calls of which a usage may speak: those of a model, among those of a store and a namespace, with the same
 * record in the prompt. Usage from before the last summarization says nothing any more.
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
  /** Those of them that came from the provider's cache. */
  readonly cacheReadTokens: number | undefined;
  /** Index, after the leading system messages, of the first message that is not reported on. */
  readonly rest: number;
}

/** Calls remembered in a process, about 300 bytes each. */
const maxUsages = 20_000;

/** Messages that are new since the last call at the most: it is nearly always a message or two back. */
const mostNew = 256;

/**
 * Characters a token can hold on average. English takes 4 to 5; a report of fewer tokens than an eighth
 * of the characters speaks of a prompt that was cut off.
 */
const mostAverageCharacters = 8;

/** Remembers the sizes that providers reported. It holds no text. */
export class UsageMemory {
  readonly #entries = boundedMap<ReportedUsage>(maxUsages);

  /** Remembers a report, unless it is less than the prompt can have taken; says whether it did. */
  remember(scan: PromptScan, scope: string, usage: ReportedUsage): boolean {
    const { sizes, characters, systemCharacters } = scan;
    if (sizes.length === 0 || usage.inputTokens * mostAverageCharacters < characters) return false;
    const key = prefixKey(scan, sizes.length);
    this.#entries.set(`${scope} ${systemCharacters} ${key}`, usage);
    return true;
  }

  /** Finds the longest beginning of a prompt that a report speaks of. */
  find(scan: PromptScan, scope: string): UsageAnchor | undefined {
    if (this.#entries.size() === 0) return undefined;
    let sent = scan.sizes.length;
    for (const key of prefixKeys(scan)) {
      // Leading system messages are as long too: a date keeps its length, what was looked up does not.
      const entry = this.#entries.get(`${scope} ${scan.systemCharacters} ${key}`);
      if (entry !== undefined) return anchorOf(entry, scan, sent);
      sent -= 1;
    }
    return undefined;
  }
}

/**
 * What prompts that begin alike have in common, from the whole of it backwards: how many messages they have, and what
 * these, the first, the last and the tools come to. Two of which all of that is equal take about as many tokens, even
 * where their words differ.
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

/** What prompts have in common that begin with the same messages, up to an index behind the leading system messages. */
export function prefixKey(scan: PromptScan, end: number): string {
  const [key = ''] = prefixKeys(scan, end);
  return key;
}

function anchorOf(entry: ReportedUsage, scan: PromptScan, sentMessages: number): UsageAnchor {
  const { inputTokens, cacheReadTokens, answerCharacters } = entry;
  const answer = scan.prompt[scan.start + sentMessages];
  // Only what the model wrote is covered by its output tokens: an answer that was edited since is not.
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
 * Tokens of an answer in the next prompt; `undefined` when nothing credible was reported of it. Most clients and
 * providers drop its reasoning, which it was billed for; what is left cannot be less than its characters take.
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
