import type { ExplainSummarizationParams, SummarizationExplanation } from './explain-call.ts';

/**
 * Explains what the middleware would do with a call: a dry run without side effects that calls no model
 * and writes nothing. Give it the options of the middleware, its `store`, `secret` and `namespace`
 * included, or it will not know what has been summarised.
 *
 * @throws {SummarizationOptionError} naming what of the input is wrong, and what is allowed; what the
 * provider throws for a model id that it does not know.
 *
 * @example
 * ```ts
 * const { act, reason, plan } = await explainSummarization({ messages, model, options });
 * ```
 */
export async function explainSummarization(
  params: ExplainSummarizationParams,
): Promise<SummarizationExplanation> {
  const { explainCall } = await import('./explain-call.ts');
  return explainCall(params);
}
