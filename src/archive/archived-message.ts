import type { Message } from '../prompt/prompt-types.ts';
import { isObject } from '../util/is-object.ts';
import { decodeValue } from './value-codec.ts';

/** A file of which an archive says no more than what it was. */
export interface OmittedFile {
  /** Index of its message among those that are returned. */
  readonly message: number;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, as 64 hexadecimal digits. */
  readonly sha256: string;
}

/** A message as it is archived. */
export interface ArchivedMessage {
  readonly message: Message;
  readonly omitted: readonly Omit<OmittedFile, 'message'>[];
}

/** Reads archived messages; `undefined` when they are none. */
export function parseArchived(text: string): readonly (ArchivedMessage | undefined)[] | undefined {
  const list: unknown = decodeValue(JSON.parse(text));
  if (!Array.isArray(list)) return undefined;
  return list.map((item: unknown) => (isArchived(item) ? item : undefined));
}

function isArchived(item: unknown): item is ArchivedMessage {
  if (!isObject(item)) return false;
  const { message, omitted } = item;
  return (
    isObject(message) &&
    typeof message['role'] === 'string' &&
    (typeof message['content'] === 'string' || Array.isArray(message['content'])) &&
    Array.isArray(omitted)
  );
}
