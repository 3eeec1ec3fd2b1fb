import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { SentCall } from '../run/prepare-call.ts';
import { requestSize } from '../fitting/fit-media.ts';
import { nearTrigger } from '../../planning/plan/decide.ts';
import {
  prefixKey,
  readUsage,
  usageScope,
  type ReportedUsage,
} from '../../planning/sizing/usage.ts';
import { keepUsage, modelName } from '../../state/conversation/keep-summary.ts';
import { sendingRulesOf } from '../../sizes/tokens/model-family.ts';
import { scanPrompt, totalOf } from '../../sizes/tokens/scan-prompt.ts';
import { runSafely } from '../../foundations/util/async/callbacks.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/** Evidence of an answer about the size of its call. */
interface AnswerSize {
  readonly usage: LanguageModelV4Usage;
  readonly finishReason: LanguageModelV4FinishReason;
  readonly providerMetadata?: SharedV4ProviderMetadata | undefined;
  /** Characters of the answer: its texts, reasoning and tool-call inputs. */
  readonly characters: number;
}

/** Characters that a token of common text hardly ever exceeds on average: English takes 4 to 5. */
const mostCommonCharacters = 6;

/**
 * Learns from an answer; a fault in what was reported is not the conversation's.
 *
 * @param sentCall - As it was really sent.
 * @param isShortened - Whether it was made shorter after a refusal as too long.
 */
export function learnFromAnswer(
  sentCall: SentCall,
  answer: AnswerSize,
  isShortened: boolean,
): void {
  const { call, request } = sentCall;
  runSafely(() => {
    call.cost?.noteUse(answer.usage);
    const { context, scan } = call;
    const { memory, modelKey } = context;
    if (scan.files > 0)
      memory.limits.acceptRequest(
        modelKey,
        requestSize(request.params.prompt, scan.overhead.bound),
      );
    const reported = readUsage(answer.usage, answer.providerMetadata);
    // Where the provider holds the history, or compacts it, what it reports is of another prompt.
    if (reported === undefined || call.snapshot.standAside !== undefined) return;
    if (!isShortened) noticeCut(sentCall, reported.inputTokens);
    if (answer.finishReason.unified === 'error') return;
    learnSize(sentCall, { ...reported, answerCharacters: answer.characters });
  });
}

/**
 * Remembers the usage that a provider reported for a prompt, and learns from it what the model's tokens
 * are and what the provider adds to every prompt. A report that leaves more to something hidden than the model has room
 * for says nothing: all of it is believed or none, however the prompt was measured.
 */
function learnSize(sentCall: SentCall, usage: ReportedUsage): void {
  const { call, plan, request } = sentCall;
  const { context, calibration } = call;
  const { model, modelKey, memory } = context;
  const { params, policy, composition, o200kTokens } = request;
  const { inputTokens } = usage;
  const isAsMeasured = call.scan.prompt === params.prompt;
  const scan = isAsMeasured ? call.scan : scanPrompt(params, sendingRulesOf(model));
  // A prompt that was rewritten since is not the one that was estimated.
  const isSampled = isAsMeasured && plan.size.measuredBy === 'estimate';
  const sized =
    o200kTokens ?? (isSampled ? plan.size.tokens / calibration.rates().multiplier : undefined);
  const texts =
    sized === undefined
      ? scan.characters / mostCommonCharacters + totalOf(scan.sizes).files
      : sized - scan.frames;
  const hidden = inputTokens - texts * calibration.rates().least;
  if (hidden >= policy.limit) return;
  const name = memory.usage.remember(scan, usageScope(modelKey, composition), usage);
  if (name === undefined) return;
  storeUsage(sentCall, name, usage);
  memory.limits.accept(modelKey, inputTokens);
  if (o200kTokens !== undefined) calibration.learn({ counted: o200kTokens, reported: inputTokens });
  // Where only what was new was counted, there is no telling texts from what is hidden.
  if (sized !== undefined || plan.size.measuredBy === 'bound') calibration.learnHidden(hidden);
}

/** Share of the limit by which a prompt grows before its size is stored again: some five small writes before a summary. */
const storedShare = 1 / 16;

/**
 * Stores a reported size beside the answer where one of the next calls may have to be counted, so that a process that
 * knows nothing of the conversation need not count it. It costs an operation or two of the store. A
 * conversation without an id has no document before its first summary: its opening may be another one in each request.
 */
function storeUsage({ call, request }: SentCall, prompt: string, usage: ReportedUsage): void {
  const { context, state, view } = call;
  const { policy, composition } = request;
  if (context.place.store.isLocal || usage.inputTokens < nearTrigger(policy)) return;
  if (composition === undefined && !state.documents.names.hasId) return;
  const stored = {
    model: modelName(context.model),
    recordId: composition?.record.id,
    prompt,
    usage,
  };
  const messages = view.identity.significantBefore(view.conversation.length);
  keepUsage(state, messages, stored, policy.limit * storedShare).catch(() => {});
}

/** Sizes reported for a conversation's last calls, while the figure stood still. */
interface StandingUsage {
  /** The least and the most of them. */
  readonly least: number;
  readonly most: number;
  /** Messages of the first of these calls. */
  readonly firstMessages: number;
  /** Calls in a row that reported about as much. */
  readonly calls: number;
  /** Messages of the last call, and the key of all of them. */
  readonly messages: number;
  readonly key: string;
}

/** Conversations remembered in a process, about 250 bytes each, by model and first message. */
const maxConversations = 10_000;
const standing = boundedMap<StandingUsage>(maxConversations);

/** Calls in a row that tell: one may be an answer from a cache, or a prompt that was sent otherwise. */
const tellingCalls = 3;

/** By how much figures that stand still differ: a server cuts between messages, or at a block of its cache. */
const stillShare = 0.04;

/** Tokens that what is new takes at the least, where it was read: no script has more characters in a token. */
const leastOfCharacter = 1 / 8;

/** By how many tokens, and how many times, what is new has to be more than the figures differ. */
const spareTokens = 8;
const mostSpread = 2;

/** Fewer tokens than any server keeps of a prompt: Ollama's half of 2,048 is the least. Fewer are no size of a prompt. */
const leastRead = 512;

/**
 * Tokens a byte of what is new since the last call. A report of no more is one of what was in no cache: servers such
 * as llama.cpp leave out what they have read before.
 */
const mostOfNew = 0.5;

/**
 * Notices a server that cuts the beginning of prompts that are too long, system message and task first, without an error:
 * the conversation grows, and what it reports of it stands still, three calls in a row, whatever the script. Keeps prompts within what it
 * reads from then on, and warns once for a model. Files are the provider's own affair: a conversation with one is not
 * judged.
 */
function noticeCut({ call, request: { params } }: SentCall, reported: number): void {
  const { context, scan } = call;
  const { model, memory, modelKey, emit, warn } = context;
  if (scan.prompt !== params.prompt || scan.files > 0) return;
  const place = `${modelKey} ${prefixKey(scan, 1)}`;
  const before = standing.get(place);
  const messages = scan.sizes.length;
  const isOfSame =
    before !== undefined &&
    before.messages < messages &&
    prefixKey(scan, before.messages) === before.key;
  const least = Math.min(reported, isOfSame ? before.least : reported);
  const most = Math.max(reported, isOfSame ? before.most : reported);
  const isStill = isOfSame && most - least <= stillShare * most;
  const calls = isStill ? before.calls + 1 : 1;
  const firstMessages = isStill ? before.firstMessages : messages;
  const key = prefixKey(scan, messages);
  const range = isStill ? { least, most } : { least: reported, most: reported };
  standing.set(place, { ...range, calls, messages, firstMessages, key });
  if (!isStill || calls < tellingCalls || reported < leastRead) return;

  const { characters } = totalOf(scan.sizes.slice(firstMessages));
  const grown = characters * leastOfCharacter;
  const { bound: added } = totalOf(scan.sizes.slice(before.messages));
  if (grown <= mostSpread * (most - least) + spareTokens || reported <= added * mostOfNew) return;
  const sent = Math.round(reported + grown);
  warn({
    code: 'silent-truncation',
    message:
      `${model.provider}:${model.modelId} reports ${reported} input tokens of at least ${sent} that were sent, as in the calls before: ` +
      `it cuts the beginning of prompts without an error. Prompts are kept below that for an hour. Raise the limit ` +
      `of the server (num_ctx with Ollama), and set contextLength to it.`,
  });
  const learned = { readTokens: reported, usableShare: 1 };
  const source = { evidence: 'reported', refusedTokens: sent } as const;
  const news = memory.limits.remember(modelKey, learned, source);
  if (news !== undefined) emit({ type: 'limit-learned', ...news });
}
