import { boundedMap } from '../util/maps/bounded-map.ts';
import type { UsageFigures } from './read-usage.ts';
import type { PromptScan } from '../tokens/scan-prompt.ts';
import { sumOf } from '../tokens/text-size.ts';
import { messagesAtOnce, type TimeSlices } from '../util/async/time-slices.ts';

/** What a provider reported of one call. */
export interface ReportedUsage extends Pick<
  UsageFigures,
  'inputTokens' | 'outputTokens' | 'reasoningTokens'
> {
  /** Characters of the answer: its texts, reasoning and tool-call inputs. */
  readonly answerCharacters: number;
}

/** Of which calls a usage may speak. */
export interface UsageScope {
  /** Names a model, among those of a store and a namespace. */
  readonly model: string;
  /** Id of the record in the prompt: usage from before the last summarisation says nothing any more. */
  readonly recordId: string | undefined;
}

/** A prompt that begins like one whose size the provider has reported. */
export interface UsageAnchor {
  /** Tokens that were reported for the beginning, the answer included if it is there. */
  readonly tokens: number;
  /** Tokens that were reported for the prompt alone. */
  readonly inputTokens: number;
  /** Messages after the leading system messages that were part of the reported prompt. */
  readonly sentMessages: number;
  /** Index, after the leading system messages, of the first message that is not reported on. */
  readonly rest: number;
  /** Bound of the messages from `rest` on, in tokens of o200k. */
  readonly restBound: number;
  /**
   * Estimate of these messages in tokens of the model: its files, and as many tokens a character as the
   * reported prompt had.
   */
  readonly restEstimate: number;
}

/** Remembers the sizes that providers reported. */
export interface UsageMemory {
  /** Remembers a report, unless it is less than the prompt can have taken; says whether it did. */
  readonly remember: (scan: PromptScan, scope: UsageScope, usage: ReportedUsage) => boolean;
  /** Finds the longest beginning of a prompt that a report speaks of. */
  readonly find: (
    scan: PromptScan,
    scope: UsageScope,
    slices: TimeSlices,
  ) => Promise<UsageAnchor | undefined>;
}

/** Calls remembered in a process, about 250 bytes each. */
const maxUsages = 20_000;

/**
 * Characters a token can hold on average. English takes 4 to 5; a report of fewer tokens than an eighth
 * of the characters speaks of a prompt that was cut off.
 */
const mostAverageCharacters = 8;

/** Characters of a prompt below which frames say more than texts. */
const leastTellingCharacters = 2000;
/** Tokens a character of common text takes. */
const usualRate = 0.25;

/** Tokens a character can take on average: an emoji takes two to three for its two. */
const mostTokensPerCharacter = 2;

/** Characters by which leading system messages may differ: a date does, a summary does not. */
const systemSlack = 256;

interface RememberedUsage {
  readonly inputTokens: number;
  /** `undefined` when nothing credible was reported of the answer. */
  readonly outputTokens: number | undefined;
  readonly reasoningTokens: number;
  readonly answerCharacters: number;
  readonly systemCharacters: number;
  readonly messages: number;
}

/** Makes a memory of reported sizes. It holds no text. */
export function usageMemory(): UsageMemory {
  const entries = boundedMap<RememberedUsage>(maxUsages);
  return {
    remember: (
      scan,
      scope,
      { inputTokens, outputTokens = 0, reasoningTokens = 0, answerCharacters },
    ) => {
      const messages = scan.messages.length;
      const prefixKey = scan.prefixKeys[messages - 1];
      if (prefixKey === undefined || inputTokens * mostAverageCharacters < scan.characters)
        return false;
      const isAnswerReported =
        outputTokens > 0 && outputTokens * mostAverageCharacters >= answerCharacters;
      entries.set(`${keyPrefix(scan, scope)}${prefixKey}`, {
        inputTokens,
        outputTokens: isAnswerReported ? outputTokens : undefined,
        reasoningTokens,
        answerCharacters,
        systemCharacters: scan.systemCharacters,
        messages,
      });
      return true;
    },
    find: async (scan, scope, slices) => {
      if (entries.size() === 0) return undefined;
      const prefix = keyPrefix(scan, scope);
      // The newest call is nearly always a message or two back.
      for (let index = scan.messages.length - 1; index >= 0; index -= 1) {
        if (index % messagesAtOnce === 0) await slices.pause();
        const entry = entries.get(`${prefix}${scan.prefixKeys[index]}`);
        if (entry === undefined || entry.messages !== index + 1) continue;
        const systemGrowth = scan.systemCharacters - entry.systemCharacters;
        if (Math.abs(systemGrowth) > systemSlack) return undefined;
        return anchorOf(entry, scan, Math.max(0, systemGrowth));
      }
      return undefined;
    },
  };
}

function anchorOf(entry: RememberedUsage, scan: PromptScan, systemGrowth: number): UsageAnchor {
  const sentMessages = entry.messages;
  const answer = scan.messages[sentMessages];
  // Only what the model wrote is covered by its output tokens: an answer that was edited since is not.
  const answered =
    entry.outputTokens !== undefined &&
    answer?.role === 'assistant' &&
    (scan.sizes[sentMessages]?.characters ?? 0) <= entry.answerCharacters * 1.05 + 200;
  const rest = sentMessages + (answered ? 1 : 0);
  const answerTokens = answered ? sentOutput(entry, entry.outputTokens, answer) : 0;
  return {
    tokens: entry.inputTokens + systemGrowth + answerTokens,
    inputTokens: entry.inputTokens,
    sentMessages,
    rest,
    restBound: sumOf(scan.sizes.slice(rest), 'bound'),
    restEstimate: estimateFrom(scan, entry, rest),
  };
}

/**
 * Tokens of an answer in the next prompt. Most clients and providers drop its reasoning, which it was
 * billed for; what is left cannot be less than its characters take.
 */
function sentOutput(
  { reasoningTokens, answerCharacters }: RememberedUsage,
  outputTokens: number,
  { content }: PromptScan['messages'][number],
): number {
  const isSent = typeof content !== 'string' && content.some(({ type }) => type === 'reasoning');
  if (isSent) return outputTokens;
  return Math.max(outputTokens - reasoningTokens, answerCharacters / mostAverageCharacters);
}

function estimateFrom(
  { sizes, characters }: PromptScan,
  entry: RememberedUsage,
  rest: number,
): number {
  const later = sizes.slice(entry.messages);
  const sent = sizes.slice(0, entry.messages);
  const textCharacters = characters - sumOf(later, 'characters');
  const textTokens = entry.inputTokens - sumOf(sent, 'files');
  const reported =
    textCharacters < leastTellingCharacters ? usualRate : textTokens / textCharacters;
  const rate = Math.min(mostTokensPerCharacter, Math.max(1 / mostAverageCharacters, reported));
  const unknown = sizes.slice(rest);
  return sumOf(unknown, 'files') + sumOf(unknown, 'characters') * rate;
}

function keyPrefix(scan: PromptScan, { model, recordId = '' }: UsageScope): string {
  return `${model} ${recordId} ${scan.overhead.key} `;
}
