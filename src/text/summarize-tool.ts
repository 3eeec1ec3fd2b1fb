import { checked, checkThat } from '../checks/check-object.ts';
import { anyText, checkedElsewhere, flag, lazily, optionsOf } from '../checks/option-rule.ts';
import { extractorsRule } from '../strategies/extractors-rule.ts';
import type { ToolResultOptions, ToolSummary } from '../strategies/tool-summary.ts';

/** A tool call and what came of it. */
export interface SummarizeToolInput extends ToolResultOptions {
  readonly toolName: string;
  /** What the tool was given; a string of JSON is read. */
  readonly input?: unknown;
  /** What it answered: a text, or JSON, also in a string. */
  readonly output: unknown;
  /**
   * Whether the tool reported an error.
   * @default what the output says
   */
  readonly isError?: boolean | undefined;
}

const inputRule = lazily(() =>
  optionsOf<SummarizeToolInput>(
    {
      toolName: anyText,
      input: checkedElsewhere,
      output: checkedElsewhere,
      isError: flag,
      extractors: extractorsRule,
      preserveErrorDetails: flag,
    },
    { allowed: 'an object with toolName, input and output', required: ['toolName'] },
  ),
);

/**
 * What is left of a tool call, as records without a model tell of it: status, facts and the same for programs.
 *
 * @throws {SummarizationOptionError} when an argument is wrong.
 *
 * @example
 * ```ts
 * const { status, keyFacts, metadata } = await summarizeTool({
 *   toolName: 'bash',
 *   input: { command: 'npm test' },
 *   output: 'Tests  1 failed | 40 passed (41)\nexit code: 1',
 * }); // 'error', ['Command: npm test', 'Exit: 1', …], { command: 'npm test', exitCode: 1, … }
 * ```
 */
export async function summarizeTool(given: SummarizeToolInput): Promise<ToolSummary> {
  checked(inputRule(), given, 'input');
  const { toolName, input, output, isError = false, extractors } = given;
  const [{ toolFactsOf }, { toolUse }, { timeSlices }] = await Promise.all([
    import('../strategies/rule-based/tool-facts.ts'),
    import('../strategies/rule-based/tool-uses.ts'),
    import('../util/async/time-slices.ts'),
  ]);
  const { preserveErrorDetails = true } = given;
  const type = isError ? 'error-text' : 'text';
  const value = textOf(output);
  const use = await toolUse(
    { toolName, input },
    { type: 'tool-result', toolCallId: '', toolName, output: { type, value } },
    { preserveErrorDetails, slices: timeSlices({}) },
  );
  return { metadata: {}, ...toolFactsOf(use, extractors ?? {}) };
}

function textOf(output: unknown): string {
  try {
    return typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  } catch {
    checkThat(false, 'output', output, 'a text, or JSON');
  }
}
