import type { SentCall, SentRequest } from '../run/prepare-call.ts';
import type { CallContext } from '../run/call-context.ts';
import type { Call } from '../run/read-call.ts';
import { fitMedia, requestSize, type RequestLimits } from '../fitting/fit-media.ts';
import { fitPrompt } from '../fitting/fit-prompt.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import type { ContextOverflow } from '../../sizes/overflow/context-overflow.ts';
import {
  blindRetryShare,
  learnLimit,
  stricterLimit,
  type LearnedLimit,
  type RefusedCall,
} from '../../sizes/overflow/learned-limits.ts';
import type { CallOptions } from '../../prompt/messages/prompt-types.ts';
import type { EventFields } from '../report/events.ts';
import { callCounter, measureWith } from '../../planning/sizing/token-measure.ts';
import { lengthInTable } from '../../sizes/tokens/context-lengths.ts';

/** A call that was made shorter after a refusal as too long. */
export interface ShortenedCall {
  readonly request: SentRequest;
  /** Whether other messages stand in it, so that it has a report of its own. */
  readonly isOther: boolean;
  /** The event of a request that the provider has taken. */
  readonly recovered: Omit<EventFields['recovered'], 'reason'>;
  /** Keeps what was learned, once the provider has taken the request. */
  readonly keep: () => void;
  /** Learns from a refusal of it as too long too. */
  readonly refused?: (overflow: ContextOverflow) => void;
}

/**
 * Makes a call that the provider refused as too long shorter, without a model: to the limit that the
 * error states, else to 0.8 of what was sent; where bytes or pictures were too many, old ones give way first. Room for the answer of more than half of the model's
 * context is cut to half of it, in the call itself too.
 *
 * @throws {ContextOverflowError} when it cannot be made as short as that.
 */
export async function shortenCall(
  { call, request }: SentCall,
  refusal: ContextOverflow,
): Promise<ShortenedCall> {
  const lighter = lightenedCall(call, request, refusal);
  if (lighter?.isEnough === true) return lighter.shortened;
  if (refusal.unit === 'images') throw new Error('No picture is older than the newest ones.');
  const tooLong = lighter?.shortened.request ?? request;
  return shorterCall(call, tooLong, refusal.unit === 'bytes' ? {} : refusal);
}

/** Share of the bytes, or of the pictures, that is tried where neither a limit nor a size that was taken is known. */
const halfShare = 1 / 2;

/**
 * Takes old pictures and files out of a call that was refused for its bytes or their number; `undefined` where it has
 * none to give, or was refused for something else.
 */
function lightenedCall(
  call: Call,
  request: SentRequest,
  refusal: ContextOverflow,
): { shortened: ShortenedCall; isEnough: boolean } | undefined {
  const { context, scan } = call;
  const { memory, modelKey, emit } = context;
  const { params, tokens } = request;
  const unit = refusal.unit ?? (refusal.isUnexplained === true ? 'bytes' : undefined);
  if (unit === undefined) return undefined;
  const overhead = scan.overhead.bound;
  const size = requestSize(params.prompt, overhead);
  const { taken } = memory.limits.recall(modelKey);
  const [refused, accepted] = [size[unit], taken[unit]];
  const limit = refusal.limit ?? Infinity;
  const guess = accepted > 0 && accepted < refused ? accepted : Math.floor(refused * halfShare);
  // A limit that is stated is believed where it is why.
  const most = Math.max(1, limit < refused ? limit : guess);
  const learned: RequestLimits = unit === 'bytes' ? { maxRequestBytes: most } : { maxImages: most };
  const prompt = fitMedia(params.prompt, learned, overhead);
  if (prompt === params.prompt) return undefined;
  const shorter = { ...request, params: { ...params, prompt }, o200kTokens: undefined };
  const isEnough = requestSize(prompt, overhead)[unit] <= most;
  const evidence = limit < refused ? 'stated' : 'refused';
  const shortenedMessages = [...prompt.keys()].filter(
    (index) => prompt[index] !== params.prompt[index],
  );
  return {
    isEnough,
    shortened: {
      request: shorter,
      isOther: false,
      recovered: { tokensBefore: tokens, tokensAfter: tokens, shortenedMessages },
      keep: () => {
        const lesson = { ...learned, usableShare: 1 };
        const source = { evidence, refusedTokens: tokens } as const;
        const news = memory.limits.remember(modelKey, lesson, source);
        if (news !== undefined) emit({ type: 'limit-learned', ...news });
      },
    },
  };
}

/** The same with a prompt of fewer tokens. */
async function shorterCall(
  call: Call,
  request: SentRequest,
  refusal: ContextOverflow,
): Promise<ShortenedCall> {
  const { context, calibration, view, state } = call;
  const { modelKey, memory, options, model, toolResults } = context;
  const { params, placement } = request;
  const { prompt, maxOutputTokens, abortSignal } = params;
  const counter = await callCounter(params, model, calibration);
  await counter.count(prompt, abortSignal);
  // A refusal counts the whole prompt and nothing else; one of a step would be the next refusal.
  if (counter.isExact && refusal.tokens !== undefined)
    calibration.learn({ counted: counter.prompt(prompt), reported: refusal.tokens }, 1);
  const measure = measureWith(counter, calibration.rates());
  const sentTokens = measure.prompt(prompt);
  const lesson = lessonOf(context, refusal, { sentTokens, maxOutputTokens });
  const { learned, isExplained } = lesson;
  const known = stricterLimit(memory.limits.recall(modelKey).limit, learned);
  const next = resolvePolicy(options, model, params, known);
  const { mostOutputTokens } = next;
  const outputLimit: Pick<CallOptions, 'maxOutputTokens'> =
    mostOutputTokens === undefined ? {} : { maxOutputTokens: mostOutputTokens };
  // Where the answer took the room, the prompt may be short enough as it is.
  const isEnough = next.limit < sentTokens || outputLimit.maxOutputTokens !== undefined;
  const policy = {
    ...next,
    limit: isEnough ? next.limit : Math.floor(sentTokens * blindRetryShare),
  };
  const style = { ...call.style, placement };
  const draft = { prompt, composition: request.composition };
  const facts = { view, style, measure, policy, state, toolResults, options, params };
  const fitted = await fitPrompt({ ...facts, ...draft });
  const { composition, tokens, o200kTokens, shortenedMessages = [] } = fitted;
  // A limit stated by the provider is true whatever the second attempt brings.
  if (lesson.isStated) lesson.keep();
  const shorter = { ...params, prompt: fitted.prompt, ...outputLimit };
  return {
    request: { params: shorter, policy, composition, tokens, o200kTokens, placement },
    isOther: true,
    recovered: {
      tokensBefore: sentTokens,
      tokensAfter: tokens,
      shortenedMessages,
      learnedContextLength: isExplained ? policy.contextLength : undefined,
    },
    keep: lesson.keep,
    // When it was too long again, the next call begins below its size: a limit that no error states is found that way.
    refused: (again) => {
      const sent = { sentTokens: tokens, maxOutputTokens: shorter.maxOutputTokens };
      if (isExplained) lessonOf(context, again, sent).keep();
    },
  };
}

/** How often a limit may have room for what was refused, to be why. */
const mostRoom = 2;

/**
 * Limit that a refusal teaches about its model, as far as it is credible: not below an accepted size, and not with
 * room for the prompt and its answer twice over.
 */
function lessonOf(
  { model, modelKey, memory, emit }: CallContext,
  refusal: ContextOverflow,
  sent: RefusedCall,
): { learned: LearnedLimit; isStated: boolean; isExplained: boolean; keep: () => void } {
  const { sentTokens: refusedTokens, maxOutputTokens } = sent;
  const { limit = Number.NaN, isInputLimit: _, ...unlimited } = refusal;
  const answerTokens = maxOutputTokens ?? refusal.answerTokens ?? 0;
  const asked = Math.max(refusedTokens, refusal.tokens ?? 0) + answerTokens;
  const isStated = limit >= memory.limits.recall(modelKey).accepted && limit <= mostRoom * asked;
  // Configured above what the table knows: where the error states no limit, the table does.
  const table = lengthInTable(model);
  const isInTable = table.known && table.contextLength < refusedTokens;
  const known = isInTable ? { ...unlimited, limit: table.contextLength } : unlimited;
  const learned = learnLimit(isStated ? refusal : known, sent);
  // A text that may be a quotation teaches nothing.
  const isExplained = refusal.isQuoted !== true;
  const source = { evidence: isStated ? 'stated' : 'refused', refusedTokens } as const;
  const keep = (): void => {
    const news = isExplained ? memory.limits.remember(modelKey, learned, source) : undefined;
    if (news !== undefined) emit({ type: 'limit-learned', ...news });
  };
  return { learned, isStated, isExplained, keep };
}
