import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { Composition } from '../composing/compose-prompt.ts';
import type { LearnedLimits } from '../overflow/learned-limits.ts';
import type {
  AssistantMessage,
  CallOptions,
  ModelIdentity,
  Prompt,
} from '../prompt/prompt-types.ts';
import { mediaFamilyOf } from '../tokens/model-family.ts';
import { scanPrompt, totalOf, type PromptScan } from '../tokens/scan-prompt.ts';
import { boundedMap, type BoundedMap } from '../util/maps/bounded-map.ts';
import type { ModelCalibration } from './calibration.ts';

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
 * report cached tokens beside the others, not among them: then they are added.
 */
export function readUsage(usage: LanguageModelV4Usage | undefined): UsageFigures | undefined {
  const { total, noCache, cacheRead, cacheWrite } = usage?.inputTokens ?? {};
  const [read, written] = [figureOf(cacheRead), figureOf(cacheWrite)];
  const cached = (read ?? 0) + (written ?? 0);
  const fresh = figureOf(noCache);
  const stated = figureOf(total) ?? fresh;
  if (stated === undefined) return undefined;
  const isApart = figureOf(total) === undefined || cached > stated || (fresh ?? -1) >= stated;
  const inputTokens = isApart ? stated + cached : stated;
  if (inputTokens === 0) return undefined;
  return {
    inputTokens,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    outputTokens: figureOf(usage?.outputTokens?.total),
    reasoningTokens: figureOf(usage?.outputTokens?.reasoning),
  };
}

function figureOf(value: number | undefined): number | undefined {
  return Number.isFinite(value) && Number(value) >= 0 ? value : undefined;
}

/** What a provider reported of one call. */
export interface ReportedUsage extends UsageFigures {
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
interface UsageAnchor {
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

/** Characters by which leading system messages may differ: a date does, a summary does not. */
const systemSlack = 256;

interface RememberedUsage extends ReportedUsage {
  readonly systemCharacters: number;
}

/** Remembers the sizes that providers reported. It holds no text. */
export class UsageMemory {
  readonly #entries = boundedMap<RememberedUsage>(maxUsages);

  /** Remembers a report, unless it is less than the prompt can have taken; says whether it did. */
  remember(scan: PromptScan, scope: UsageScope, usage: ReportedUsage): boolean {
    const { sizes, characters, systemCharacters } = scan;
    if (sizes.length === 0 || usage.inputTokens * mostAverageCharacters < characters) return false;
    const [key = ''] = prefixKeys(scan);
    this.#entries.set(scoped(scope, key), { ...usage, systemCharacters });
    return true;
  }

  /** Finds the longest beginning of a prompt that a report speaks of. */
  find(scan: PromptScan, scope: UsageScope): UsageAnchor | undefined {
    if (this.#entries.size() === 0) return undefined;
    let sent = scan.sizes.length;
    for (const key of prefixKeys(scan)) {
      const entry = this.#entries.get(scoped(scope, key));
      const systemGrowth = scan.systemCharacters - (entry?.systemCharacters ?? 0);
      if (entry !== undefined)
        return Math.abs(systemGrowth) > systemSlack
          ? undefined
          : anchorOf(entry, scan, sent, Math.max(0, systemGrowth));
      sent -= 1;
    }
    return undefined;
  }
}

function scoped({ model, recordId = '' }: UsageScope, key: string): string {
  return `${model} ${recordId} ${key}`;
}

/**
 * What prompts that begin alike have in common, from the whole of it backwards: how many messages they have, and what
 * these, the first, the last and the tools come to. Two of which all of that is equal take about as many tokens, even
 * where their words differ.
 */
function* prefixKeys({
  sizes,
  overhead,
}: Pick<PromptScan, 'sizes' | 'overhead'>): Generator<string, void, undefined> {
  let { bound, characters } = totalOf(sizes);
  const [first] = sizes;
  const whole = `${overhead.bound} ${overhead.characters} ${first?.bound} ${first?.characters}`;
  const least = Math.max(1, sizes.length - mostNew);
  for (let count = sizes.length; count >= least; count -= 1) {
    const last = sizes[count - 1];
    yield `${whole} ${count} ${bound} ${characters} ${last?.bound} ${last?.characters}`;
    bound -= last?.bound ?? 0;
    characters -= last?.characters ?? 0;
  }
}

function anchorOf(
  entry: RememberedUsage,
  scan: PromptScan,
  sentMessages: number,
  systemGrowth: number,
): UsageAnchor {
  const { inputTokens, cacheReadTokens, answerCharacters } = entry;
  const answer = scan.prompt[scan.start + sentMessages];
  // Only what the model wrote is covered by its output tokens: an answer that was edited since is not.
  const isAnswered =
    answer?.role === 'assistant' &&
    (scan.sizes[sentMessages]?.characters ?? 0) <= answerCharacters * 1.05 + 200;
  const answerTokens = isAnswered ? sentOutput(entry, answer.content) : undefined;
  return {
    tokens: inputTokens + systemGrowth + (answerTokens ?? 0),
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
  { outputTokens = 0, reasoningTokens = 0, answerCharacters }: RememberedUsage,
  content: AssistantMessage['content'],
): number | undefined {
  const least = answerCharacters / mostAverageCharacters;
  if (outputTokens === 0 || outputTokens < least) return undefined;
  const isSent = content.some(({ type }) => type === 'reasoning');
  return isSent ? outputTokens : Math.max(outputTokens - reasoningTokens, least);
}

/** A call as it was really sent, and what is learned of its model. */
export interface AnsweredCall {
  readonly params: CallOptions;
  readonly model: ModelIdentity;
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
  readonly memory: {
    readonly usage: Pick<UsageMemory, 'remember'>;
    readonly limits: Pick<LearnedLimits, 'accept'>;
    /** By model and beginning of a conversation. */
    readonly standing: BoundedMap<StandingUsage>;
  };
  readonly calibration: ModelCalibration;
  /** Tokens the prompt may take. */
  readonly policy: { readonly limit: number };
  readonly composition: Pick<Composition, 'record'> | undefined;
  /** The prompt as it was when it was measured, and how. */
  readonly scan: PromptScan;
  readonly plan: { readonly size: { readonly measuredBy: string } };
  /** The prompt that was counted, and what it came to under o200k, if that is known. */
  readonly prompt: Prompt;
  readonly counted: number | undefined;
  readonly warn: (warning: {
    readonly code: 'silent-truncation';
    readonly message: string;
  }) => void;
}

/** Characters that a token of common text hardly ever exceeds on average: English takes 4 to 5. */
const mostCommonCharacters = 6;

/** What an answer says about the size of its call. */
export interface AnswerSize {
  readonly usage: LanguageModelV4Usage;
  readonly finishReason: LanguageModelV4FinishReason;
  /** Characters of the answer: its texts, reasoning and tool-call inputs. */
  readonly characters: number;
}

/**
 * Remembers the usage that a provider reported for a prompt, and learns from it what the model's tokens
 * are and what the provider adds to every prompt. An answer that ended in an error says nothing, nor does
 * a report that leaves more to something hidden than the model has room for: all of it is believed or
 * none, however the prompt was measured.
 */
export function learnUsage(
  { params, model, modelKey, memory, calibration, ...call }: AnsweredCall,
  { usage, finishReason, characters }: AnswerSize,
): void {
  const reported = readUsage(usage);
  const { policy, composition } = call;
  if (reported === undefined || finishReason.unified === 'error') return;
  const isAsMeasured = call.scan.prompt === params.prompt;
  const scan = isAsMeasured ? call.scan : scanPrompt(params, mediaFamilyOf(model));
  // A prompt that was rewritten since is not the one that was counted.
  const tokens = call.prompt === params.prompt ? call.counted : undefined;
  const texts =
    tokens === undefined
      ? scan.characters / mostCommonCharacters + totalOf(scan.sizes).files
      : tokens - scan.frames;
  const { inputTokens } = reported;
  const hidden = inputTokens - texts * calibration.rates().least;
  if (hidden >= policy.limit) return;
  const scope = { model: modelKey, recordId: composition?.record.id };
  const answered = { ...reported, answerCharacters: characters };
  if (!memory.usage.remember(scan, scope, answered)) return;
  memory.limits.accept(modelKey, inputTokens);
  if (tokens !== undefined) calibration.learn({ counted: tokens, reported: inputTokens });
  // Where only what was new was counted, there is no telling texts from what is hidden.
  if (tokens !== undefined || call.plan.size.measuredBy === 'bound')
    calibration.learnHidden(hidden);
}

/** What was reported of a conversation's last calls, while the figure stood still. */
export interface StandingUsage {
  readonly reported: number;
  /** Calls in a row that reported about as much. */
  readonly calls: number;
  /** Messages of the last call, and the key of all of them. */
  readonly messages: number;
  readonly key: string | undefined;
}

/** Calls in a row that tell: one may be an answer from a cache, or a prompt that was sent otherwise. */
const tellingCalls = 3;

/** By how much figures that stand still differ: a server cuts between messages, or at a block of its cache. */
const stillShare = 0.04;

/**
 * A provider that reports less than this share of what was sent, by its characters, has cut the prompt: no tokenizer is
 * that far from them, and Ollama, known to cut, keeps half of its context.
 */
const leastReportedShare = 0.6;

/**
 * Tokens a character of what is new since the last call. A report of no more is one of what was in no cache: servers such
 * as llama.cpp leave out what they have read before.
 */
const mostOfNew = 0.5;

/**
 * Notices a server that cuts the beginning of prompts that are too long, system message and task first, without an error:
 * the conversation grows, and what it reports of it stands still, three calls in a row. Warns once for a model. Files are
 * the provider's own affair: a conversation with one is not judged.
 *
 * @returns what the server reads at the most, and what was sent at the least, in tokens; `undefined` where nothing speaks
 * of a cut.
 */
export function watchUsage(
  { params, model, scan, memory: { standing }, modelKey, warn }: AnsweredCall,
  usage: LanguageModelV4Usage,
): { readonly reported: number; readonly sent: number } | undefined {
  const reported = readUsage(usage)?.inputTokens;
  const isAsMeasured = scan.prompt === params.prompt && scan.files === 0;
  if (reported === undefined || !isAsMeasured) return undefined;
  const keyUpTo = (end: number): string | undefined =>
    prefixKeys({ ...scan, sizes: scan.sizes.slice(0, end) }).next().value ?? undefined;
  const place = `${modelKey} ${keyUpTo(1)}`;
  const before = standing.get(place);
  const messages = scan.sizes.length;
  const isStill =
    before !== undefined &&
    before.messages < messages &&
    keyUpTo(before.messages) === before.key &&
    Math.abs(reported - before.reported) <= stillShare * before.reported;
  const calls = isStill ? before.calls + 1 : 1;
  standing.set(place, { reported, calls, messages, key: keyUpTo(messages) });
  if (!isStill || calls < tellingCalls) return undefined;

  const sent = Math.round(scan.characters / mostCommonCharacters);
  const added = totalOf(scan.sizes.slice(before.messages)).characters;
  if (reported >= sent * leastReportedShare || reported <= added * mostOfNew) return undefined;
  warn({
    code: 'silent-truncation',
    message:
      `${model.provider}:${model.modelId} reports ${reported} input tokens of at least ${sent} that were sent, as of the calls before: ` +
      `it cuts the beginning of prompts without an error. They are kept below that for an hour. Raise what the server is ` +
      `configured for (num_ctx with Ollama), and set contextLength to it.`,
  });
  return { reported, sent };
}
