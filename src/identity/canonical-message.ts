import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import type { Message } from '../prompt/prompt-types.ts';
import { canonicalFile } from './canonical-file.ts';
import { canonicalJson, canonicalJsonInSlices } from '../json/canonical-json.ts';
import type { TimeSlices } from '../util/time-slices.ts';

/** Numbers tool-call and approval ids in the order in which a conversation first names them. */
export type IdNumbers = Map<string, number>;

/** Whether anything of a message identifies it: text, a file, a call, a result or an approval. */
export function isSignificant(message: Message): boolean {
  if (message.role === 'system') return true;
  return message.content.some((part) =>
    part.type === 'text' ? part.text !== '' : !isVolatile(part.type),
  );
}

function isVolatile(type: string): boolean {
  return type === 'reasoning' || type === 'reasoning-file' || type === 'custom';
}

/**
 * The content of a message that identifies it, as one line of text. Left out: `providerOptions`,
 * signatures, reasoning, `custom` and empty parts, which change or vanish when a history goes to a
 * client and comes back. Tool-call ids count by order of appearance, so a history whose ids were
 * renamed is still the same history.
 */
export function canonicalMessage(message: Message, ids: IdNumbers): string {
  const content = canonicalContent(message, ids);
  return isPlain(content) ? JSON.stringify(content) : canonicalJson(content);
}

/** The same in slices that leave the event loop to others. */
export async function canonicalMessageInSlices(
  message: Message,
  ids: IdNumbers,
  slices: TimeSlices,
): Promise<string> {
  const content = canonicalContent(message, ids);
  return isPlain(content) ? JSON.stringify(content) : canonicalJsonInSlices(content, slices);
}

/** Most messages are plain text, for which the built-in serialiser gives the same bytes sooner. */
function isPlain(content: readonly unknown[]): boolean {
  return content.every((part) => typeof part === 'string');
}

function canonicalContent(message: Message, ids: IdNumbers): readonly unknown[] {
  if (message.role === 'system') return ['system', message.content];
  const parts: unknown[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push(text);
    text = '';
  };
  for (const part of message.content) {
    if (part.type === 'text') {
      text += part.text;
      continue;
    }
    const canonical = canonicalPart(part, ids);
    if (canonical === undefined) continue;
    flush();
    parts.push(canonical);
  }
  flush();
  return [message.role, ...parts];
}

type Part = Exclude<Message['content'], string>[number];

function canonicalPart(
  part: Exclude<Part, { type: 'text' }>,
  ids: IdNumbers,
): unknown[] | undefined {
  switch (part.type) {
    case 'file':
      return canonicalFile(part);
    case 'tool-call':
      return ['call', numberOf(part.toolCallId, ids), part.toolName, part.input];
    case 'tool-result':
      return [
        'result',
        numberOf(part.toolCallId, ids),
        part.toolName,
        canonicalOutput(part.output),
      ];
    case 'tool-approval-response':
      return ['approval', numberOf(part.approvalId, ids), part.approved, part.reason];
    case 'reasoning':
    case 'reasoning-file':
    case 'custom':
      return undefined;
  }
}

function canonicalOutput(output: LanguageModelV4ToolResultOutput): unknown[] {
  switch (output.type) {
    case 'execution-denied':
      return [output.type, output.reason];
    case 'content':
      return [output.type, ...output.value.map(canonicalOutputPart)];
    default:
      return [output.type, output.value];
  }
}

type OutputPart = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number];

function canonicalOutputPart(part: OutputPart): unknown {
  if (part.type === 'text') return part.text;
  return part.type === 'file' ? canonicalFile(part) : part.type;
}

function numberOf(id: string, ids: IdNumbers): number {
  const known = ids.get(id);
  if (known !== undefined) return known;
  ids.set(id, ids.size);
  return ids.size - 1;
}
