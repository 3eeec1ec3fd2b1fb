import type { LanguageModelMiddleware } from 'ai';
import { checkThat } from './foundations/checks/check-object.ts';
import { withoutCallOptions } from './call/options/call-options.ts';
import { listWithOptions } from './call/options/options-of-model.ts';
import { callContext, middlewareContext } from './call/run/call-context.ts';
import { prepareCall, type SentCall } from './call/run/prepare-call.ts';
import type { SummarizationStats } from './call/report/events.ts';
import { generateCall, streamCall } from './call/retry/send-call.ts';
import type { SummarizationOptions } from './call/options/summarization-options.ts';
import { isOwnCall } from './prompt/messages/own-options.ts';
import type { CallOptions } from './prompt/messages/prompt-types.ts';
import { abortable } from './foundations/util/async/waiting.ts';

/** A middleware, and what it has done. */
export interface SummarizationMiddleware extends LanguageModelMiddleware {
  /** Adds up what this middleware has done since it was made: summaries, calls for them, tokens, time, failures. */
  readonly stats: () => SummarizationStats;
}

/**
 * Keeps conversations under the context limit of the model it wraps: when a prompt nears the limit, the older
 * messages are replaced by a structured summary ahead of a verbatim tail. Recognizes a conversation by its content,
 * so the next request applies the same summary without paying again.
 *
 * The summary replaces the original messages for the model, so the summarizing model must be trusted as much as the
 * model itself. A back end with several tenants gives each a `namespace`.
 *
 * Put other middlewares that add instructions, settings or texts of tools before this one in the list. Their
 * additions are not counted otherwise, a `maxOutputTokens` has no room kept for it, and default instructions are left
 * out once a summary is a system message. Put middlewares that read answers after it, so that they also read the
 * summaries.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware: summarizationMiddleware() });
 * const result = streamText({ model, messages: await convertToModelMessages(messages) });
 *
 * @throws {SummarizationOptionError} when an option is wrong, naming it and what is allowed; under a Node.js that is too
 * old; under AI SDK 5, when a model is wrapped.
 *
 * Calls of the wrapped model reject with:
 * - `ContextOverflowError` when even the smallest legal prompt does not fit;
 * - `SummarizationError` when no summary could be made and `abortOnFailure` is set;
 * - `SummarizationOptionError` when `providerOptions.summarization` is wrong.
 * Every other failure leaves the call as it would have been without the middleware. A call that the
 * provider itself refuses as too long is sent once more, shortened without a model, before any output;
 * if it refuses that too, its own error is the call's.
 */
export function summarizationMiddleware(
  options: SummarizationOptions = {},
): SummarizationMiddleware {
  // An older Node would fail in each call that needs a summary, and say so in an event only.
  const runtime: unknown = globalThis.process?.version;
  checkThat('withResolvers' in Promise, 'runtime', runtime, 'Node.js 22.13 or newer');
  const context = middlewareContext(options);
  // Keyed by the parameters that transformParams returned: the SDK hands the same object on.
  const calls = new WeakMap<CallOptions, SentCall>();

  return {
    stats: context.reporter.stats,
    specificationVersion: 'v4',
    // The only hook that every SDK calls when a model is wrapped.
    overrideSupportedUrls: ({ model }) => {
      const version: string = model.specificationVersion;
      checkThat(version !== 'v2', 'model', version, 'a model of AI SDK 6 or 7; this one is of 5');
      return listWithOptions(model.supportedUrls, { ...options, store: context.rawStore });
    },
    transformParams: async ({ params: given, model }) => {
      if (isOwnCall(given)) return withoutCallOptions(given);
      const version: string = model.specificationVersion;
      const prepare =
        version === 'v3'
          ? (await import('./call/run/prepare-older-call.ts')).prepareOlderCall
          : prepareCall;
      const preparing = prepare(callContext(context, model, given), given);
      const { params, sent } = await abortable(preparing, given.abortSignal);
      if (sent !== undefined) calls.set(params, sent);
      return params;
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const call = calls.get(params);
      return call === undefined ? doGenerate() : generateCall(call, doGenerate);
    },
    wrapStream: async ({ doStream, params }) => {
      const call = calls.get(params);
      return call === undefined ? doStream() : streamCall(call, doStream);
    },
  };
}
