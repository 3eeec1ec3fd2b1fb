import { visibleText } from '../cleaning/visible-text.ts';
import { isRecalled } from '../prompt/recalled-output.ts';
import {
  readMessagePart,
  readToolOutput,
  type MessagePart,
  type ToolOutput,
} from '../prompt/read-message-part.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { PartReader, OutputReader } from '../prompt/read-message-part.ts';

/** What a message says, in one text. What the tool itself has read before is left out. */
export function messageText(message: Message): string {
  const text =
    message.role === 'system' ? message.content : message.content.map(partText).join('\n');
  return visibleText(text);
}

function partText(part: MessagePart): string {
  return readMessagePart(part, partReader, undefined);
}

function outputWithoutRecall(output: ToolOutput): string {
  return isRecalled(output) ? '' : readToolOutput(output, outputReader, undefined);
}

const partReader: PartReader<undefined, string> = {
  text: ({ text }) => text,
  file: ({ data, mediaType }) => (data.type === 'text' ? data.text : `[a file: ${mediaType}]`),
  reasoning: () => '',
  reasoningFile: () => '',
  call: ({ toolName, input }) => `${toolName} ${jsonOf(input)}`,
  result: ({ output }) => outputWithoutRecall(output),
  approval: () => '',
  custom: () => '',
  unknown: () => '',
};

const outputReader: OutputReader<undefined, string> = {
  text: ({ value }) => value,
  json: ({ value }) => jsonOf(value),
  denied: ({ reason }) => reason ?? '',
  content: ({ value }) => value.map(partText).join('\n'),
  unknown: () => '',
};

function jsonOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
