import type { LanguageModelV4 } from '@ai-sdk/provider';
import { SummarizationError } from '../errors/summarization-error.ts';
import { withDetails } from '../errors/with-details.ts';
import type { ConversationIdentity } from '../identity/conversation-identity.ts';
import { omittedSummary, renderSummary } from '../composing/render-summary.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { buildRecord, recordIdOf } from '../record/build-record.ts';
import { emptyContent } from '../record/empty-content.ts';
import { cleanContent, cleanRecord } from '../cleaning/clean-content.ts';
import type { SummaryContent, SummaryRecord } from '../record/summary-record.ts';
import { redactFailure, textDoor, withheldText, type TextDoor } from '../cleaning/text-door.ts';
import { fitContent } from './fit-content.ts';
import { sourceTexts } from '../strategies/rule-based/texts/source-texts.ts';
import { withDeadline } from '../util/with-deadline.ts';
import type {
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from '../strategies/summary-strategy.ts';
import { timeSlices } from '../util/time-slices.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

/** What a record is written from. */
export interface RecordRequest {
  readonly strategy: SummaryStrategy;
  /** Whether the strategy is a fallback. */
  readonly degraded: boolean;
  readonly model: LanguageModelV4;
  readonly identity: ConversationIdentity;
  /** Significant messages the record will cover. */
  readonly count: number;
  /** Store key of the record. */
  readonly key: string;
  readonly depth: number;
  readonly previous: SummaryRecord | undefined;
  readonly usePreviousNarrative: boolean;
  /** The messages that `previous` does not cover. */
  readonly messages: readonly Message[];
  readonly maxSummaryTokens: number;
  readonly contextLength: SummaryInput['contextLength'];
  readonly declaredContextLength?: SummaryInput['declaredContextLength'];
  readonly maxTranscriptTokens?: SummaryInput['maxTranscriptTokens'];
  readonly namespace?: SummaryInput['namespace'];
  readonly redact?: SummaryInput['redact'];
  /** Told when `redact` fails: texts were left out. */
  readonly onRedactFault?: (() => void) | undefined;
  readonly telemetry?: SummaryInput['telemetry'];
  readonly onAttempt?: SummaryInput['onAttempt'];
  readonly onProgress?: SummaryInput['onProgress'];
  readonly log?: SummaryInput['log'];
  readonly measure: TokenMeasure;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A record and what it cost. */
export interface WrittenRecord {
  readonly record: SummaryRecord;
  readonly usage: SummaryOutput['usage'];
  readonly hierarchical: SummaryOutput['hierarchical'];
}

/** Tokens below which a summary says nothing: a placeholder takes its place and no model is called. */
const leastSummaryTokens = 50;

/** Milliseconds a strategy may take in all, its retries and pieces included: the call waits for it. */
const strategyTimeoutMs = 300_000;

/**
 * Lets a strategy write a record: checks what it returned, passes it through the door, fits it to its
 * budget and adds what code computes.
 *
 * @throws {SummarizationError} when the strategy returned nothing usable, and whatever it threw.
 */
export async function writeRecord(request: RecordRequest): Promise<WrittenRecord> {
  const { strategy, identity, count, key, depth, previous, messages, measure, maxSummaryTokens } =
    request;
  const { abortSignal } = request;
  const clean = textDoor(request.redact, request.onRedactFault);
  const output = await runStrategy(request, clean);
  const slices = timeSlices({ abortSignal });
  const rendered = async (content: SummaryContent): Promise<number> => {
    const text = renderSummary({ ...content, id: recordIdOf(key), depth });
    const message = { role: 'system', content: text } as const;
    await measure.count([message], abortSignal);
    return measure.message(message);
  };
  const written = await checkedContent(output, strategy.name, clean);
  const fitted = await fitContent(written, {
    maxTokens: maxSummaryTokens,
    count: rendered,
    recentTexts: async () => (await sourceTexts(messages, slices)).map(({ text }) => text),
    slices,
  });
  const content = fitted.summary === '' ? emptyContent(omittedSummary) : fitted;
  const known = previous?.originalMessageIds ?? [];
  await measure.count(messages, abortSignal);
  const record = buildRecord(
    {
      key,
      depth,
      parent: previous,
      messageIds: [...known, ...(await identity.messageDigests(known.length, count))],
      prefixDigest: await identity.prefixDigest(count),
      strategy: visibleText(strategy.name),
      degraded: request.degraded || content.summary === omittedSummary,
      inputTokens: measure.messages(messages) + (previous?.metrics.outputTokens ?? 0),
    },
    content,
    await rendered(content),
  );
  return { record, usage: output.usage, hierarchical: output.hierarchical };
}

async function runStrategy(request: RecordRequest, clean: TextDoor): Promise<SummaryOutput> {
  const { strategy, model, messages, previous, usePreviousNarrative, abortSignal } = request;
  const { maxSummaryTokens, contextLength, declaredContextLength, maxTranscriptTokens } = request;
  const { namespace, telemetry, onAttempt, onProgress, log } = request;
  if (maxSummaryTokens < leastSummaryTokens)
    return { content: emptyContent(omittedSummary), usage: { inputTokens: 0, outputTokens: 0 } };
  return withDeadline(abortSignal, strategyTimeoutMs, (signal) =>
    strategy.summarize({
      messages,
      // It may have been written, or handed over, without this `redact`.
      previous: previous && cleanRecord(previous, clean),
      usePreviousNarrative,
      model,
      maxSummaryTokens,
      contextLength,
      declaredContextLength,
      tokenMultiplier: request.measure.multiplier,
      maxTranscriptTokens,
      namespace,
      redact: clean,
      telemetry,
      onAttempt,
      onProgress,
      log,
      abortSignal: signal,
    }),
  );
}

async function checkedContent(
  { content, usage }: SummaryOutput,
  strategy: string,
  clean: TextDoor,
): Promise<SummaryContent> {
  // Only when a summary is made: the library of the schema takes longer to load than the rest.
  const { summaryContentSchema } = await import('../record/record-schemas.ts');
  const parsed = summaryContentSchema.safeParse(content);
  const written = parsed.success ? cleanContent(parsed.data, clean) : undefined;
  if (written?.summary === withheldText) throw withDetails(redactFailure(), { usage });
  if (written !== undefined && written.summary.trim() !== '') return written;
  const paths = parsed.error?.issues.map((issue) => issue.path.join('.') || 'content') ?? [
    'summary',
  ];
  throw new SummarizationError({
    reason: 'invalid-output',
    message: `The strategy ${strategy} returned no usable summary: ${paths.join(', ')} is wrong or empty.`,
    usage,
  });
}
