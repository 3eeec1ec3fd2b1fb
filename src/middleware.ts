import type { LanguageModelV4, LanguageModelV4Middleware } from '@ai-sdk/provider';
import { streamWithCallMetadata, withCallMetadata } from './call/add-call-metadata.ts';
import { callContext, middlewareContext } from './call/middleware-context.ts';
import { prepareCall, type CallReport } from './call/prepare-call.ts';
import type { SummarizationOptions } from './options/summarization-options.ts';
import type { CallOptions } from './prompt/prompt-types.ts';
import { abortable } from './state/single-flight.ts';

/**
 * Keeps conversations under the context limit of the model it wraps: when a prompt nears the limit, the
 * older messages are replaced by a structured summary ahead of a verbatim tail. Recognises a
 * conversation by its content, so the next request applies the same summary without paying again.
 *
 * The summary replaces the original messages for the model, so the summarising model must be trusted as
 * much as the model itself. A back end with several tenants gives each a `namespace`.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware: summarizationMiddleware() });
 * const result = streamText({ model, messages: await convertToModelMessages(messages) });
 *
 * @throws {SummarizationOptionError} when an option is wrong, naming it and what is allowed.
 *
 * Calls of the wrapped model reject with:
 * - `ContextOverflowError` when even the smallest legal prompt does not fit;
 * - `SummarizationError` when no summary could be made and `abortOnFailure` is set;
 * - `SummarizationOptionError` when `providerOptions.summarization` is wrong.
 * Every other failure leaves the call as it would have been without the middleware.
 */
export function summarizationMiddleware(
  options: SummarizationOptions = {},
): LanguageModelV4Middleware {
  const context = middlewareContext(options);
  // Keyed by the parameters that transformParams returned: the SDK hands the same object on.
  const reports = new WeakMap<CallOptions, CallReport>();

  const transformParams = async (
    given: CallOptions,
    model: LanguageModelV4,
  ): Promise<CallOptions> => {
    const prepared = prepareCall(callContext(context, model, given), given);
    const { params, report } = await abortable(prepared, given.abortSignal);
    if (report !== undefined) reports.set(params, report);
    return params;
  };

  return {
    specificationVersion: 'v4',
    transformParams: async ({ params, model }) => transformParams(params, model),
    wrapGenerate: async ({ doGenerate, params }) => {
      const report = reports.get(params);
      const result = await doGenerate();
      return report === undefined ? result : withCallMetadata(result, report);
    },
    wrapStream: async ({ doStream, params }) => {
      const report = reports.get(params);
      const result = await doStream();
      if (report === undefined) return result;
      return { ...result, stream: streamWithCallMetadata(result.stream, report) };
    },
  };
}
