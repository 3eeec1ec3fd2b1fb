import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { renderToolSummary, type ToolResultOptions } from '../../tool-summary.ts';
import { summarizeToolUse, toolUse, type ToolCall } from './tool-uses.ts';

/**
 * Replaces what a tool answered by its extractor line, `[✓ read_file: File: a.ts | Lines: 120]`. Ids,
 * names and the kind of output stay: text remains text, JSON a JSON string, an error an error.
 *
 * @param call - The call that was answered; without it what only the call knows is missing.
 * @returns The same part when the line would not be shorter.
 */
export async function condenseToolResult(
  call: ToolCall | undefined,
  part: LanguageModelV4ToolResultPart,
  slices: TimeSlices,
  { extractors = {}, preserveErrorDetails = true }: ToolResultOptions = {},
): Promise<LanguageModelV4ToolResultPart> {
  const { output } = part;
  const use = await toolUse(call, part, { preserveErrorDetails, slices });
  const line = renderToolSummary(summarizeToolUse(use, extractors));
  const hasFile = output.type === 'content' && output.value.some(({ type }) => type !== 'text');
  if (line.length >= use.output.length && !hasFile) return part;
  switch (output.type) {
    case 'text':
    case 'json':
    case 'error-text':
    case 'error-json':
      return { ...part, output: { ...output, value: line } };
    case 'content':
      return { ...part, output: { ...output, value: [{ type: 'text', text: line }] } };
    case 'execution-denied':
    default:
      return part;
  }
}
