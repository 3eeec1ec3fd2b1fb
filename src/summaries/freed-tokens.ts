import { omittedSummary, renderSummary } from '../composing/render-summary.ts';
import type { Prompt } from '../prompt/prompt-types.ts';
import { buildRecord, type RecordFrame } from '../record/build-record.ts';
import { emptyContent } from '../record/empty-content.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { TokenMeasure } from '../sizing/token-measure.ts';

/** The prompt that a record is to make smaller. */
interface PromptToShorten {
  /** Tokens of the prompt as it stands. */
  readonly tokens: number;
  readonly measure: Pick<TokenMeasure, 'count' | 'message' | 'prompt'>;
  /** Puts a record in its place. */
  readonly compose: (record: SummaryRecord) => Promise<{ readonly prompt: Prompt }>;
}

/** Share of what a record frees that it may take: a summary has to be smaller. */
const takenShare = 0.95;

/** Tokens that a record may take so that the prompt gets smaller: most of those that an empty one would free. */
export async function freedTokens(
  { tokens, measure, compose }: PromptToShorten,
  frame: Pick<RecordFrame, 'key' | 'openingDigests'>,
): Promise<number> {
  const empty = buildRecord(
    {
      ...frame,
      depth: 0,
      coveredMessages: 0,
      prefixDigest: '',
      strategy: '',
      degraded: true,
      inputTokens: 0,
    },
    emptyContent(omittedSummary),
    0,
  );
  const message = { role: 'system', content: renderSummary(empty) } as const;
  const { prompt } = await compose(empty);
  await measure.count([...prompt, message]);
  const freed = tokens - measure.prompt(prompt);
  return Math.floor(takenShare * freed) + measure.message(message);
}
