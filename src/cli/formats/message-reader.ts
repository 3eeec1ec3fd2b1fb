import type { ModelMessage } from 'ai';
import { parseJson } from '../../json/parse-json.ts';
import { isObject } from '../../util/is-object.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type AssistantPart = Exclude<
  Extract<ModelMessage, { role: 'assistant' }>['content'],
  string
>[number];
export type UserPart = Exclude<Extract<ModelMessage, { role: 'user' }>['content'], string>[number];
export type ToolPart = Extract<ModelMessage, { role: 'tool' }>['content'][number];

/** The names of tools by the ids of their calls: results of other formats do not name them. */
export type ToolNames = Map<string, string>;

/** A string, or the JSON of what is none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function partsOf(content: unknown): readonly Fields[] {
  return Array.isArray(content) ? content.filter((part) => isObject(part)) : [];
}

/** What stands for a part of which only its kind matters here. */
export function placeholder(part: Fields): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: `[${textOf(part['type'])}]` };
}

/** A file as a prompt has it: from an address, a data URL or base64. */
export function filePart(data: string, mediaType: string): UserPart {
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(data);
  if (inline !== null)
    return { type: 'file', mediaType: inline[1] ?? mediaType, data: inline[2] ?? '' };
  return URL.canParse(data)
    ? { type: 'file', mediaType, data: new URL(data) }
    : { type: 'file', mediaType, data };
}

/** Tool results as one message. */
export function toolMessage(...content: ToolPart[]): ModelMessage {
  return { role: 'tool', content };
}

export function toolResult(toolCallId: string, names: ToolNames, value: string): ToolPart {
  const toolName = names.get(toolCallId) ?? 'tool';
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } };
}

export function parsedInput(input: unknown): unknown {
  return typeof input === 'string' ? (parseJson(input) ?? { input }) : (input ?? {});
}
