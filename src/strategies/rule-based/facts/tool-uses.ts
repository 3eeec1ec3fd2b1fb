import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { Message } from '../../../prompt/prompt-types.ts';
import { redactionDoor, type Redact } from '../../../cleaning/redaction-door.ts';
import { answeredAtOnce } from '../../../util/async/answered-at-once.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import { boundJson } from '../../../json/bound-json.ts';
import { findExtractor } from '../extractors/find-extractor.ts';
import { otherFacts } from '../extractors/other-facts.ts';
import type { ToolFacts } from '../extractors/tool-facts.ts';
import { outputText, parsedJson } from '../texts/output-text.ts';
import type { ToolExtractors, ToolUse } from '../../tool-summary.ts';

/** How tool calls are summarised. */
export interface ToolSummaryOptions {
  readonly extractors: ToolExtractors;
  readonly preserveErrorDetails: boolean;
  /** Every text goes through its door before it is cut. */
  readonly redact?: Redact | undefined;
  readonly slices: TimeSlices;
}

/** What is known of a call. */
export type ToolCall = Pick<ToolUse, 'toolName' | 'input'>;

/** A tool call with its result and where it stands. */
export interface PlacedToolUse {
  readonly use: ToolUse;
  /** Whether somebody did not let it run. */
  readonly isDenied: boolean;
  readonly toolCallId: string;
  /** Position of the result's message, and of the call's, of the result's where there is no call. */
  readonly index: number;
  readonly callIndex: number;
}

/** Joins the calls of messages with their results. */
export async function toolUses(
  messages: readonly Message[],
  options: ToolSummaryOptions,
): Promise<readonly PlacedToolUse[]> {
  const calls = new Map<string, ToolCall & { readonly index: number }>();
  const uses: PlacedToolUse[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') {
        calls.set(part.toolCallId, { toolName: part.toolName, input: part.input, index });
      } else if (part.type === 'tool-result') {
        const { toolCallId } = part;
        const call = calls.get(toolCallId);
        const use = await toolUse(call, part, options);
        const isDenied = part.output.type === 'execution-denied';
        uses.push({ use, isDenied, toolCallId, index, callIndex: call?.index ?? index });
        calls.delete(toolCallId);
      }
    }
  }
  return uses;
}

/** Reads a result together with its call. */
export async function toolUse(
  call: ToolCall | undefined,
  { toolName, output }: LanguageModelV4ToolResultPart,
  { redact, preserveErrorDetails, slices }: Omit<ToolSummaryOptions, 'extractors'>,
): Promise<ToolUse> {
  const clean = redactionDoor(redact);
  const cleanValue = (value: unknown): Promise<unknown> => boundJson(value, clean, slices);
  await slices.pause();
  // Read first, then cleaned: the escapes of JSON hide from the door what they stand for.
  const given = call?.input;
  const input = typeof given === 'string' ? (parsedJson(given) ?? given) : given;
  const common = {
    toolName: clean(toolName),
    input: await cleanValue(input),
    isError: output.type.startsWith('error') || output.type === 'execution-denied',
    preserveErrorDetails,
  };
  switch (output.type) {
    case 'json':
    case 'error-json': {
      const text = clean(await outputText(output, slices));
      return { ...common, output: text, value: await cleanValue(output.value) };
    }
    case 'text':
    case 'error-text': {
      const value = await cleanValue(parsedJson(output.value));
      return { ...common, output: clean(output.value), value };
    }
    default:
      return { ...common, output: clean(await outputText(output, slices)) };
  }
}

/** Applies the extractor for a tool; a caller's extractor that throws, or gives no summary at once, counts as none. */
export function summarizeToolUse(use: ToolUse, extractors: ToolExtractors): ToolFacts {
  try {
    const facts = answeredAtOnce(findExtractor(use, extractors)(use));
    if (isToolFacts(facts)) return facts;
  } catch {}
  return otherFacts(use);
}

function isToolFacts(value: unknown): value is ToolFacts {
  if (typeof value !== 'object' || value === null) return false;
  const { toolName, status, keyFacts }: Partial<Record<keyof ToolFacts, unknown>> = value;
  return (
    typeof toolName === 'string' &&
    statuses.has(status) &&
    Array.isArray(keyFacts) &&
    keyFacts.every((fact) => typeof fact === 'string')
  );
}

const statuses: ReadonlySet<unknown> = new Set(['success', 'error', 'partial']);
