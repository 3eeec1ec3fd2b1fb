import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { redactionDoor, type Redact } from '../../cleaning/redaction-door.ts';
import { visibleText } from '../../cleaning/visible-text.ts';
import { readableCopy } from '../../util/json.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { pause } from '../../util/async/time-slices.ts';
import { outputText, parsedJson } from '../messages/read-messages.ts';
import { renderToolSummary, type ToolResultOptions, type ToolUse } from '../tool-summary.ts';
import { toolFactsOf } from './tool-facts.ts';

/** How tool calls are read. */
export interface ToolReading {
  readonly preserveErrorDetails: boolean;
  /** Every text goes through its door before it is cut. */
  readonly redact?: Redact | undefined;
}

/** What is known of a call. */
export type ToolCall = Pick<ToolUse, 'toolName' | 'input'>;

/** A tool call with its result and where it stands. */
export interface PlacedToolUse {
  readonly use: ToolUse;
  /** Position of the result's message. */
  readonly index: number;
}

/** Joins the calls of messages with their results. */
export async function toolUses(
  messages: readonly Message[],
  reading: ToolReading,
): Promise<readonly PlacedToolUse[]> {
  const calls = new Map<string, ToolCall>();
  const uses: PlacedToolUse[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (part.type !== 'tool-result') continue;
      uses.push({ use: toolUse(calls.get(part.toolCallId), part, reading), index });
      calls.delete(part.toolCallId);
      await pause();
    }
  }
  return uses;
}

/** Reads a result together with its call. */
function toolUse(
  call: ToolCall | undefined,
  { toolName, output }: LanguageModelV4ToolResultPart,
  { redact, preserveErrorDetails }: ToolReading,
): ToolUse {
  const clean = redactionDoor(redact);
  // The line that is written is cleaned in the end: only what `redact` has to find whole is copied before it is cut.
  const cleanValue = (value: unknown): unknown =>
    clean === visibleText || value === undefined ? value : readableCopy(value, clean);
  // Read first, then cleaned: the escapes of JSON hide from the door what they stand for.
  const given = call?.input;
  const input = parsedJson(given) ?? given;
  const isText = output.type === 'text' || output.type === 'error-text';
  const isJson = output.type === 'json' || output.type === 'error-json';
  const value = isText ? parsedJson(output.value) : isJson ? output.value : undefined;
  return {
    toolName: clean(toolName),
    input: cleanValue(input),
    output: outputText(output, { clean, isPlain: true }),
    value: cleanValue(value),
    isError: output.type.startsWith('error') || output.type === 'execution-denied',
    preserveErrorDetails,
  };
}

/**
 * Replaces what a tool answered by its line of facts, `[✓ read_file: File: a.ts | Lines: 120]`. Ids, names and the
 * kind of output stay: text remains text, JSON a JSON string, an error an error.
 *
 * @param call - The call that was answered; without it what only the call knows is missing.
 * @returns The same part when the line would not be shorter.
 */
export function condenseToolResult(
  call: ToolCall | undefined,
  part: LanguageModelV4ToolResultPart,
  { extractors = {}, preserveErrorDetails = true }: ToolResultOptions = {},
): LanguageModelV4ToolResultPart {
  const { output } = part;
  const use = toolUse(call, part, { preserveErrorDetails });
  const line = renderToolSummary(toolFactsOf(use, extractors));
  const hasFile = output.type === 'content' && output.value.some(({ type }) => type !== 'text');
  if (line.length >= use.output.length && !hasFile) return part;
  if (output.type === 'content')
    return { ...part, output: { ...output, value: [{ type: 'text', text: line }] } };
  return output.type === 'execution-denied'
    ? part
    : { ...part, output: { ...output, value: line } };
}
