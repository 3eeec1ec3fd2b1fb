import { createHash } from 'node:crypto';

/** Characters of an id that are repeated in the name of its folder. */
const readableCharacters = 40;

/**
 * The name of a conversation's folder: what is readable of the id, and 128 bits of its hash. One name for
 * each id, whatever it holds: only `a-z`, `0-9` and `-`, so that it neither leaves the folder nor meets
 * another one where case does not count, and never a name that Windows reserves.
 */
export function conversationFolder(conversationId: string): string {
  // As JSON, because UTF-8 has one and the same code for every lone surrogate.
  const hash = createHash('sha256').update(JSON.stringify(conversationId)).digest('hex');
  const readable = conversationId
    .slice(0, readableCharacters)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return [readable, hash.slice(0, 32)].filter((part) => part !== '').join('-');
}
