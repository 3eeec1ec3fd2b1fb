import type { Message } from '../prompt/prompt-types.ts';
import type { FileData } from '../prompt/file-bytes.ts';
import type { PromptFile } from './files/file-tokens.ts';
import { valueHash, type ValueHash, type Hash64 } from '../hash/value-hash.ts';
import { opaqueTokens } from './measure-message.ts';
import { walkJson } from '../json/walk-json.ts';

type Part = Exclude<Message['content'], string>[number];
type ToolOutput = Extract<Part, { type: 'tool-result' }>['output'];

/**
 * Reads all of a message: texts, ids, names, JSON, files. Provider options are left out, but for the
 * size of what only the provider can read and for the detail of images: cache marks move from call to
 * call.
 */
export function messageHash(message: Message): Hash64 {
  const hash = valueHash();
  hash.text(message.role);
  if (message.role === 'system') hash.text(message.content);
  else for (const part of message.content) readPart(part, hash);
  return hash.end();
}

function readPart(part: Part, hash: ValueHash): void {
  hash.text(part.type);
  switch (part.type) {
    case 'text':
      hash.text(part.text);
      return;
    case 'reasoning':
      hash.text(part.text);
      hash.number(opaqueTokens(part.providerOptions));
      return;
    case 'file':
    case 'reasoning-file':
      readFile(part, hash);
      return;
    case 'tool-call':
      hash.text(part.toolCallId);
      hash.text(part.toolName);
      walkJson(part.input, hash);
      return;
    case 'tool-result':
      hash.text(part.toolCallId);
      hash.text(part.toolName);
      readOutput(part.output, hash);
      return;
    case 'tool-approval-response':
      hash.text(part.approvalId);
      hash.number(part.approved ? 1 : 0);
      hash.number(part.reason === undefined ? 0 : 1);
      hash.text(part.reason ?? '');
      return;
    case 'custom':
      hash.number(opaqueTokens(part.providerOptions));
  }
}

function readOutput(output: ToolOutput, hash: ValueHash): void {
  hash.text(output.type);
  switch (output.type) {
    case 'text':
    case 'error-text':
      hash.text(output.value);
      return;
    case 'json':
    case 'error-json':
      walkJson(output.value, hash);
      return;
    case 'execution-denied':
      hash.number(output.reason === undefined ? 0 : 1);
      hash.text(output.reason ?? '');
      return;
    case 'content':
      // The number first, or parts of the message that follow would read like parts of this output.
      hash.number(output.value.length);
      for (const part of output.value) {
        hash.text(part.type);
        if (part.type === 'text') hash.text(part.text);
        else if (part.type === 'file') readFile(part, hash);
        else hash.number(opaqueTokens(part.providerOptions));
      }
      return;
    default:
      // An output of a newer SDK: its value identifies it all the same.
      walkJson(output, hash);
  }
}

function readFile(file: PromptFile, hash: ValueHash): void {
  hash.text(file.mediaType);
  walkJson(file.providerOptions?.['openai'] ?? file.providerOptions?.['azure'] ?? null, hash);
  readData(file.data, hash);
}

function readData(data: FileData, hash: ValueHash): void {
  hash.text(data.type);
  switch (data.type) {
    case 'data':
      if (typeof data.data === 'string') hash.text(data.data);
      else if (ArrayBuffer.isView(data.data)) hash.bytes(data.data);
      else walkJson(data.data, hash);
      return;
    case 'url':
      // A history that went through JSON has an address in the place of the object.
      hash.text(String(data.url));
      return;
    case 'reference':
      walkJson(data.reference, hash);
      return;
    case 'text':
      hash.text(data.text);
  }
}
