import type { LanguageModelMiddleware, TextStreamPart, ToolSet } from 'ai';
import { countPromptTokens } from 'ai-sdk-summarization';
import { z } from 'zod';
import type { CallReading } from './chat-message.ts';

/** What `providerMetadata.summarization` says of a call. */
const callReportSchema = z.object({
  tokens: z.number(),
  contextLength: z.number(),
  coveredMessages: z.number(),
  recordId: z.string().exactOptional(),
  depth: z.number().exactOptional(),
  degraded: z.boolean().exactOptional(),
});

/**
 * Collects a reading of each call of an answer for its metadata, which the meter and the chart show.
 *
 * @param earlier - Readings of a message that the answer continues.
 */
export function callReadings(earlier: readonly CallReading[]): {
  /** Stands before the summarisation middleware and counts what it is given: the full history. */
  readonly countFullHistory: LanguageModelMiddleware;
  /** Stands in `toUIMessageStream`. */
  readonly messageMetadata: (options: {
    part: TextStreamPart<ToolSet>;
  }) => { readonly calls: readonly CallReading[] } | undefined;
} {
  let calls = earlier;
  let counted = 0;
  return {
    countFullHistory: {
      specificationVersion: 'v4',
      transformParams: async ({ params, model }) => {
        counted = (await countPromptTokens({ ...params, model })).total;
        return params;
      },
    },
    messageMetadata: ({ part }) => {
      if (part.type !== 'finish-step') return undefined;
      const report = callReportSchema.safeParse(part.providerMetadata?.['summarization']).data;
      if (report === undefined) return undefined;
      // Without a record the full history is what was sent, as the provider counted it.
      const fullTokens = report.coveredMessages === 0 ? report.tokens : counted;
      calls = [...calls, { ...report, fullTokens }];
      return { calls };
    },
  };
}
