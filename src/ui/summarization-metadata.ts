import type { LanguageModelMiddleware, TextStreamPart, ToolSet, UIMessage } from 'ai';
import { countPromptTokens } from '../api/count-prompt-tokens.ts';
import type { PromptTokenCount } from '../api/count-prompt-tokens.ts';
import { checkInput } from '../checks/check-object.ts';
import { anyObject } from '../checks/option-rule.ts';
import { splitSystem } from '../prompt/prompt-types.ts';
import type { SummarizationMetadata } from '../report/report-call.ts';
import { sumOf } from '../util/numbers.ts';
import {
  callsOf,
  type BilledTokens,
  type ContextReading,
  type SummarizationMessageMetadata,
} from './summarization-message.ts';

/** Options of `summarizationMetadata`. */
export interface SummarizationMetadataOptions {
  /**
   * The message that the answer continues, if it continues one: its calls are kept.
   * @default none
   */
  readonly continues?: Pick<UIMessage, 'role' | 'metadata'> | undefined;
}

/** A `messageMetadata` that notes each call of an answer. */
export interface SummarizationMetadataReader {
  (options: { readonly part: TextStreamPart<ToolSet> }): SummarizationMessageMetadata | undefined;
  /**
   * Stands before the summarisation middleware, if at all, and counts what it is given, with the tokenizer and at each
   * call anew: what all messages would have come to, and what the prompt consists of.
   */
  readonly countHistory: LanguageModelMiddleware;
}

/** What was given to the middleware, counted. */
interface History extends PromptTokenCount {
  /** Leading messages that are the system's. */
  readonly systems: number;
}

/**
 * Notes the calls of one answer in its metadata, for `messageMetadata` of `toUIMessageStream`: their sizes, what they
 * billed, and the summary in their prompts. Make one for each answer.
 *
 * @throws {SummarizationOptionError} naming what of the options is wrong, and what is allowed.
 *
 * @example
 * result.toUIMessageStreamResponse({ messageMetadata: summarizationMetadata() })
 */
export function summarizationMetadata(
  options: SummarizationMetadataOptions = {},
): SummarizationMetadataReader {
  checkInput(options, 'continues, or nothing', { continues: anyObject() });
  const { continues } = options;
  let calls = continues?.role === 'assistant' ? callsOf(continues) : [];
  let history: History | undefined;
  const countHistory: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: async ({ params, model }) => {
      const systems = splitSystem(params.prompt).systems.length;
      // What cannot be counted is for the model to refuse, and no reason for the call to fail.
      const counted = await countPromptTokens({ ...params, model }).catch(() => undefined);
      history = counted && { ...counted, systems };
      return params;
    },
  };
  const read = ({ part }: { readonly part: TextStreamPart<ToolSet> }) => {
    if (part.type !== 'finish-step') return undefined;
    const [report] = callsOf({
      metadata: { summarization: { calls: [part.providerMetadata?.['summarization']] } },
    });
    if (report === undefined) return undefined;
    const counted = history === undefined ? {} : sizesOf(report, history);
    calls = [...calls, { ...report, ...counted, usage: billed(part.usage) }];
    return { summarization: { calls } };
  };
  return Object.assign(read, { countHistory });
}

function sizesOf(
  { tokens, coveredMessages }: SummarizationMetadata,
  { total, overhead, perMessage, systems }: History,
): Pick<ContextReading, 'fullTokens' | 'parts'> {
  const sizeFrom = (start: number, end?: number) =>
    sumOf(perMessage.slice(start, end), (size) => size);
  const system = sizeFrom(0, systems);
  const rest = Math.max(0, tokens - system - overhead);
  // Without a summary the rest of what was sent is the messages, as the provider counted them.
  const isWhole = coveredMessages === 0;
  const messages = isWhole ? rest : Math.min(rest, sizeFrom(systems + coveredMessages));
  return {
    fullTokens: isWhole ? tokens : total,
    parts: { system, tools: overhead, summary: rest - messages, messages },
  };
}

function billed({
  inputTokens = 0,
  outputTokens = 0,
  inputTokenDetails: { cacheReadTokens },
}: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>['usage']): BilledTokens {
  const cached = cacheReadTokens === undefined ? {} : { cacheReadTokens };
  return { inputTokens, outputTokens, ...cached };
}
