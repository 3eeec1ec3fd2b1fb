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
import { sequenceHashes, valueHash, type ValueHash, type Hash64 } from '../hash/value-hash.ts';
import { opaqueTokens } from './measure-message.ts';
import { maxWalked, walkJson, type WalkBudget } from '../json/walk-json.ts';
import { writeJson } from '../json/write-json.ts';
import { runAtOnce, runInSlices, type Steps } from '../util/async/run-steps.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';

/**
 * Reads all of a message: texts, ids, names, JSON, files. Provider options are left out, but for the
 * size of what only the provider can read and for the detail of images: cache marks move from call to
 * call.
 */
export function messageHash(message: Message): Hash64 {
  const { hash, large } = readAtOnce(message);
  return large.length === 0 ? hash : runAtOnce(withLarge(hash, large));
}

/** The same; large JSON values are read in slices that leave the event loop to others. */
export function messageHashInSlices(
  message: Message,
  slices: TimeSlices,
): Hash64 | Promise<Hash64> {
  const { hash, large } = readAtOnce(message);
  return large.length === 0 ? hash : runInSlices(withLarge(hash, large), slices);
}

/** How a message is read. */
interface HashReading extends WalkBudget {
  readonly hash: ValueHash;
  /** JSON values of which a part is beyond the budget. */
  readonly large: unknown[];
}

function readAtOnce(message: Message): { hash: Hash64; large: readonly unknown[] } {
  const hash = valueHash();
  const large: unknown[] = [];
  const reading = { hash, left: maxWalked, large };
  hash.text(message.role);
  if (message.role === 'system') hash.text(message.content);
  else for (const part of message.content) hashPart(part, reading);
  return { hash: hash.end(), large };
}

// Not those of prefixes, which hashes of messages go into.
const hashOfParts = sequenceHashes();

/** Adds the texts of large values: a hash cannot wait between two values, but between two hashes. */
function* withLarge(hash: Hash64, large: readonly unknown[]): Steps<Hash64> {
  const hashes = [hash];
  for (const value of large) {
    const text = yield* writeJson(value, { isStrict: true });
    const textHash = valueHash();
    textHash.text(text);
    hashes.push(textHash.end());
  }
  return hashOfParts(hashes);
}

function hashPart(part: MessagePart, reading: HashReading): void {
  reading.hash.text(part.type);
  readMessagePart(part, partHash, reading);
}

function hashJson(value: unknown, reading: HashReading): void {
  if (!walkJson(value, reading.hash, reading)) reading.large.push(value);
}

const partHash: PartReader<HashReading, void> = {
  text: ({ text }, { hash }) => hash.text(text),
  file: hashFile,
  reasoning: ({ text, providerOptions }, { hash }) => {
    hash.text(text);
    hash.number(opaqueTokens(providerOptions));
  },
  reasoningFile: hashFile,
  call: ({ toolCallId, toolName, input }, reading) => {
    reading.hash.text(toolCallId);
    reading.hash.text(toolName);
    hashJson(input, reading);
  },
  result: ({ toolCallId, toolName, output }, reading) => {
    reading.hash.text(toolCallId);
    reading.hash.text(toolName);
    reading.hash.text(output.type);
    readToolOutput(output, outputHash, reading);
  },
  approval: ({ approvalId, approved, reason }, { hash }) => {
    hash.text(approvalId);
    hash.number(approved ? 1 : 0);
    hashReason(reason, hash);
  },
  custom: ({ providerOptions }, { hash }) => hash.number(opaqueTokens(providerOptions)),
  unknown: hashUnknown,
};

const outputHash: OutputReader<HashReading, void> = {
  text: ({ value }, { hash }) => hash.text(value),
  json: ({ value }, reading) => hashJson(value, reading),
  denied: ({ reason }, { hash }) => hashReason(reason, hash),
  content: ({ value }, reading) => {
    // The number first, or parts of the message that follow would read like parts of this output.
    reading.hash.number(value.length);
    for (const part of value) hashPart(part, reading);
  },
  unknown: hashUnknown,
};

function hashReason(reason: string | undefined, hash: ValueHash): void {
  hash.number(reason === undefined ? 0 : 1);
  hash.text(reason ?? '');
}

function hashUnknown(part: UnknownPart, reading: HashReading): void {
  hashJson(unknownContent(part), reading);
}

function hashFile(file: PromptFile, reading: HashReading): void {
  reading.hash.text(file.mediaType);
  hashJson(file.providerOptions?.['openai'] ?? file.providerOptions?.['azure'] ?? null, reading);
  hashData(file.data, reading);
}

function hashData(data: FileData, reading: HashReading): void {
  const { hash } = reading;
  hash.text(data.type);
  switch (data.type) {
    case 'data':
      if (typeof data.data === 'string') hash.text(data.data);
      else if (ArrayBuffer.isView(data.data)) hash.bytes(data.data);
      else hashJson(data.data, reading);
      return;
    case 'url':
      // A history that went through JSON has an address in the place of the object.
      hash.text(String(data.url));
      return;
    case 'reference':
      hashJson(data.reference, reading);
      return;
    case 'text':
      hash.text(data.text);
  }
}
