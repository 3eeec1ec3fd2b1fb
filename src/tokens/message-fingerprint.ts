import type { Message } from '../prompt/prompt-types.ts';
import type { FileData } from '../prompt/file-bytes.ts';
import type { PromptFile } from './files/file-tokens.ts';
import { fingerprint, type Fingerprint } from '../hash/fingerprint.ts';
import { opaqueTokens } from './measure-message.ts';
import { walkJson } from '../json/walk-json.ts';

/** 64 bits over everything that a message's identity and its size rest on. */
export interface MessageFingerprint {
  readonly high: number;
  readonly low: number;
}

type Part = Exclude<Message['content'], string>[number];
type ToolOutput = Extract<Part, { type: 'tool-result' }>['output'];

/**
 * Reads all of a message: texts, ids, names, JSON, files. Provider options are left out, but for the
 * size of what only the provider can read and for the detail of images: cache marks move from call to
 * call.
 */
export function messageFingerprint(message: Message): MessageFingerprint {
  const print = fingerprint();
  print.text(message.role);
  if (message.role === 'system') print.text(message.content);
  else for (const part of message.content) readPart(part, print);
  return print.end();
}

function readPart(part: Part, print: Fingerprint): void {
  print.text(part.type);
  switch (part.type) {
    case 'text':
      print.text(part.text);
      return;
    case 'reasoning':
      print.text(part.text);
      print.number(opaqueTokens(part.providerOptions));
      return;
    case 'file':
    case 'reasoning-file':
      readFile(part, print);
      return;
    case 'tool-call':
      print.text(part.toolCallId);
      print.text(part.toolName);
      walkJson(part.input, print);
      return;
    case 'tool-result':
      print.text(part.toolCallId);
      print.text(part.toolName);
      readOutput(part.output, print);
      return;
    case 'tool-approval-response':
      print.text(part.approvalId);
      print.number(part.approved ? 1 : 0);
      print.number(part.reason === undefined ? 0 : 1);
      print.text(part.reason ?? '');
      return;
    case 'custom':
      print.number(opaqueTokens(part.providerOptions));
  }
}

function readOutput(output: ToolOutput, print: Fingerprint): void {
  print.text(output.type);
  switch (output.type) {
    case 'text':
    case 'error-text':
      print.text(output.value);
      return;
    case 'json':
    case 'error-json':
      walkJson(output.value, print);
      return;
    case 'execution-denied':
      print.number(output.reason === undefined ? 0 : 1);
      print.text(output.reason ?? '');
      return;
    case 'content':
      // The number first, or parts of the message that follow would read like parts of this output.
      print.number(output.value.length);
      for (const part of output.value) {
        print.text(part.type);
        if (part.type === 'text') print.text(part.text);
        else if (part.type === 'file') readFile(part, print);
        else print.number(opaqueTokens(part.providerOptions));
      }
      return;
    default:
      // An output of a newer SDK: its value identifies it all the same.
      walkJson(output, print);
  }
}

function readFile(file: PromptFile, print: Fingerprint): void {
  print.text(file.mediaType);
  walkJson(file.providerOptions?.['openai'] ?? file.providerOptions?.['azure'] ?? null, print);
  readData(file.data, print);
}

function readData(data: FileData, print: Fingerprint): void {
  print.text(data.type);
  switch (data.type) {
    case 'data':
      if (typeof data.data === 'string') print.text(data.data);
      else if (ArrayBuffer.isView(data.data)) print.bytes(data.data);
      else walkJson(data.data, print);
      return;
    case 'url':
      // A history that went through JSON has an address in the place of the object.
      print.text(String(data.url));
      return;
    case 'reference':
      walkJson(data.reference, print);
      return;
    case 'text':
      print.text(data.text);
  }
}
