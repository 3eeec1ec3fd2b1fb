import type { Message } from '../prompt/prompt-types.ts';
import type { PromptFile } from './files/file-tokens.ts';
import { stringifyJson } from '../json/stringify-json.ts';

/** How large texts and files are: exact counts or bounds. The walk over a prompt is the same. */
export interface PromptMeasure {
  readonly text: (text: string) => number;
  readonly file: (file: PromptFile) => number;
  /**
   * Size of a JSON value.
   * @default the size of its text, which has to be written first
   */
  readonly json?: ((value: unknown) => number) | undefined;
}

/** Size of a JSON value under a measure. */
export function measureJson(value: unknown, { json, text }: Omit<PromptMeasure, 'file'>): number {
  return json === undefined ? text(stringifyJson(value)) : json(value);
}

/** Tokens for the frame of a message: OpenAI states 3 and the role. */
const messageTokens = 4;
/** Tokens for the frame of a tool call, a tool result or an approval: type, id and separators. */
const toolPartTokens = 8;

type Part = Exclude<Message['content'], string>[number];
type ToolOutput = Extract<Part, { type: 'tool-result' }>['output'];

/**
 * Adds up what a provider is sent for one message: 4 tokens for the message, its texts and reasoning,
 * names and JSON of tool calls with 8 tokens each, tool output the same way, files by their own rule.
 * Encrypted reasoning and compacted history, which only the provider can read, are estimated from
 * their size. Ids and other provider options cost nothing.
 */
export function measureMessage(message: Message, measure: PromptMeasure): number {
  if (message.role === 'system') return messageTokens + measure.text(message.content);
  let total = messageTokens;
  for (const part of message.content) total += measurePart(part, measure);
  return total;
}

function measurePart(part: Part, measure: PromptMeasure): number {
  switch (part.type) {
    case 'text':
      return measure.text(part.text);
    case 'reasoning':
      return Math.max(measure.text(part.text), opaqueTokens(part.providerOptions));
    case 'file':
    case 'reasoning-file':
      return measureFile(part, measure);
    case 'tool-call':
      return toolPartTokens + measure.text(part.toolName) + measureJson(part.input, measure);
    case 'tool-result':
      return toolPartTokens + measure.text(part.toolName) + measureOutput(part.output, measure);
    case 'tool-approval-response':
      return toolPartTokens + measure.text(part.reason ?? '');
    case 'custom':
      return opaqueTokens(part.providerOptions);
    default:
      // A part type of a newer SDK: nothing is known about it, and it must not break the count.
      return 0;
  }
}

function measureOutput(output: ToolOutput, measure: PromptMeasure): number {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return measure.text(output.value);
    case 'json':
    case 'error-json':
      return measureJson(output.value, measure);
    case 'execution-denied':
      return measure.text(output.reason ?? 'Tool call execution denied.');
    case 'content': {
      let total = 0;
      for (const part of output.value) {
        if (part.type === 'text') total += measure.text(part.text);
        else if (part.type === 'file') total += measureFile(part, measure);
        else total += opaqueTokens(part.providerOptions);
      }
      return total;
    }
    default:
      return 0;
  }
}

function measureFile(file: PromptFile, measure: PromptMeasure): number {
  return file.data.type === 'text' ? measure.text(file.data.text) : measure.file(file);
}

const opaqueOptions = /^(?:reasoningEncryptedContent|encryptedContent|redactedData)$/;

/** Base64 of encrypted text: 3 bytes in 4 characters, about 4 bytes a token. */
export function opaqueTokens(providerOptions: PromptFile['providerOptions']): number {
  let characters = 0;
  for (const options of Object.values(providerOptions ?? {})) {
    if (typeof options !== 'object' || options === null) continue;
    for (const [name, value] of Object.entries(options)) {
      if (typeof value === 'string' && opaqueOptions.test(name)) characters += value.length;
    }
  }
  return Math.ceil((characters * 3) / 16);
}
