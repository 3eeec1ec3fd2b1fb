import type { Message } from '../prompt/prompt-types.ts';
import type { FileData } from '../prompt/file-bytes.ts';
import {
  readMessagePart,
  readToolOutput,
  unknownContent,
  type MessagePart,
  type OutputReader,
  type PartReader,
  type UnknownPart,
} from '../prompt/read-message-part.ts';
import type { PromptFile } from './files/file-tokens.ts';
import { valueHash, type ValueHash, type Hash64 } from '../hash/value-hash.ts';
import { opaqueTokens } from './measure-message.ts';
import { walkJson } from '../json/walk-json.ts';

/**
 * Reads all of a message: texts, ids, names, JSON, files. Provider options are left out, but for the
 * size of what only the provider can read and for the detail of images: cache marks move from call to
 * call.
 */
export function messageHash(message: Message): Hash64 {
  const hash = valueHash();
  hash.text(message.role);
  if (message.role === 'system') hash.text(message.content);
  else for (const part of message.content) hashPart(part, hash);
  return hash.end();
}

function hashPart(part: MessagePart, hash: ValueHash): void {
  hash.text(part.type);
  readMessagePart(part, partHash, hash);
}

const partHash: PartReader<ValueHash, void> = {
  text: ({ text }, hash) => hash.text(text),
  file: hashFile,
  reasoning: ({ text, providerOptions }, hash) => {
    hash.text(text);
    hash.number(opaqueTokens(providerOptions));
  },
  reasoningFile: hashFile,
  call: ({ toolCallId, toolName, input }, hash) => {
    hash.text(toolCallId);
    hash.text(toolName);
    walkJson(input, hash);
  },
  result: ({ toolCallId, toolName, output }, hash) => {
    hash.text(toolCallId);
    hash.text(toolName);
    hash.text(output.type);
    readToolOutput(output, outputHash, hash);
  },
  approval: ({ approvalId, approved, reason }, hash) => {
    hash.text(approvalId);
    hash.number(approved ? 1 : 0);
    hashReason(reason, hash);
  },
  custom: ({ providerOptions }, hash) => hash.number(opaqueTokens(providerOptions)),
  unknown: hashUnknown,
};

const outputHash: OutputReader<ValueHash, void> = {
  text: ({ value }, hash) => hash.text(value),
  json: ({ value }, hash) => walkJson(value, hash),
  denied: ({ reason }, hash) => hashReason(reason, hash),
  content: ({ value }, hash) => {
    // The number first, or parts of the message that follow would read like parts of this output.
    hash.number(value.length);
    for (const part of value) hashPart(part, hash);
  },
  unknown: hashUnknown,
};

function hashReason(reason: string | undefined, hash: ValueHash): void {
  hash.number(reason === undefined ? 0 : 1);
  hash.text(reason ?? '');
}

function hashUnknown(part: UnknownPart, hash: ValueHash): void {
  walkJson(unknownContent(part), hash);
}

function hashFile(file: PromptFile, hash: ValueHash): void {
  hash.text(file.mediaType);
  walkJson(file.providerOptions?.['openai'] ?? file.providerOptions?.['azure'] ?? null, hash);
  hashData(file.data, hash);
}

function hashData(data: FileData, hash: ValueHash): void {
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
