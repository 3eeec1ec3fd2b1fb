import { validate, checkThat } from '../../foundations/checks/check-object.ts';
import { parsedJson, valueText } from '../../summaries/messages/read-messages.ts';
import {
  extractorsRule,
  renderToolSummary,
  toolFactsOf,
} from '../../summaries/rule-based/tool-facts.ts';
import type {
  ToolResultOptions,
  ToolSummary,
} from '../../summaries/strategies/summary-strategy.ts';
import { visibleText } from '../../prompt/cleaning/visible-text.ts';

/** A tool call and what it came to. */
export interface AnsweredToolCall {
  readonly toolName: string;
  /** The input, as an object or as JSON. */
  readonly input: unknown;
  /** The output, as the tool returned it: text or a JSON value. */
  readonly output: unknown;
  /**
   * Whether the tool reported an error.
   * @default false
   */
  readonly isError?: boolean | undefined;
}

/**
 * Tells one tool call as a line of facts, as records do: `[✓ read_file: File: a.ts | Lines: 120]`. Needs no model.
 *
 * @returns The line, and what it is made of: the status, the facts, and the metadata of your own extractor.
 * @throws SummarizationOptionError for a name that is no text, or wrong extractors.
 *
 * @example
 * ```ts
 * const { line, status } = summarizeToolCall({ toolName: 'bash', input: { command: 'make' }, output: 'exit code: 2' });
 * ```
 */
export function summarizeToolCall(
  call: AnsweredToolCall,
  { extractors = {}, preserveErrorDetails = true }: ToolResultOptions = {},
): ToolSummary & { readonly line: string } {
  const { toolName, input, output, isError = false } = call;
  checkThat(typeof toolName === 'string', 'toolName', toolName, 'a string');
  const use = {
    toolName,
    input: parsedJson(input) ?? input,
    output: valueText(output, { clean: visibleText, isPlain: true }),
    value: typeof output === 'string' ? parsedJson(output) : output,
    isError,
    preserveErrorDetails,
  };
  const summary = toolFactsOf(use, validate(extractorsRule, extractors, 'extractors'));
  return { ...summary, line: renderToolSummary(summary) };
}
