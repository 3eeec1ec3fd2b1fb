import type { Message } from '../prompt/prompt-types.ts';
import { base64Steps } from '../util/strings/base64.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import type { ArchiveBlock, ArchiveManifest } from './archive-manifest.ts';
import type { ArchivePolicy } from './archive-policy.ts';
import { compressText } from './compress.ts';
import { omitLargeFiles } from './omit-large-files.ts';
import { redactMessage } from './redact-message.ts';
import { encodeValue } from './value-codec.ts';

/** Messages as they are stored. */
export interface PackedArchive {
  readonly manifest: ArchiveManifest;
  readonly parts: readonly string[];
}

/** Characters of messages that are compressed together: what one damaged value takes with it. */
const blockCharacters = 512 * 1024;
/**
 * Characters of a value. Sealed they are half a million, which every store and its clients take in one
 * request.
 */
const partCharacters = 384 * 1024;

/** Packs messages: what `redact` leaves of them, without their large files, compressed. */
export async function packArchive(
  messages: readonly Message[],
  { maxFileBytes, redact }: ArchivePolicy,
): Promise<PackedArchive> {
  const slices = timeSlices();
  const blocks: ArchiveBlock[] = [];
  const parts: string[] = [];
  let texts: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (texts.length === 0) return;
    const bytes = await compressText(`[${texts.join(',')}]`);
    const base64 = await runInSlices(base64Steps(bytes), slices);
    const before = parts.length;
    for (let start = 0; start < base64.length; start += partCharacters)
      parts.push(base64.slice(start, start + partCharacters));
    blocks.push({ messages: texts.length, parts: parts.length - before });
    texts = [];
    characters = 0;
  };
  for (const message of messages) {
    const { message: kept, omitted } = await omitLargeFiles(message, maxFileBytes);
    const text = archivedText(() => ({
      message: redact === undefined ? kept : redactMessage(kept, redact),
      omitted,
    }));
    if (characters + text.length > blockCharacters) await flush();
    texts.push(text);
    characters += text.length;
    await slices.pause();
  }
  await flush();
  return { manifest: { version: 1, blocks }, parts };
}

/** One that is nested beyond the stack, or in a circle, is missing from the archive. */
function archivedText(archived: () => unknown): string {
  try {
    return JSON.stringify(encodeValue(archived()));
  } catch {
    return 'null';
  }
}
