import type * as sdk from 'ai';
import type { Message, Prompt } from '../prompt/prompt-types.ts';
import { isObject } from '../util/is-object.ts';

/** Whether a module `ai` is that of AI SDK 6, which has other names for some settings. */
export function isOlderSDK(ai: Partial<typeof sdk>): boolean {
  // New in AI SDK 7, where it replaces `stepCountIs`.
  return !('isStepCount' in ai);
}

type Fields = Readonly<Record<string, unknown>>;

// What a message and a part were made of, so that those that nobody changed go back as they came.
const olderMessages = new WeakMap<Message, Message>();
const olderParts = new WeakMap<Fields, Fields>();

/**
 * The messages of AI SDK 6 in the form of AI SDK 7, in which the package reads them; they differ in files
 * alone. The same object where there are none. Both forms have one identity: a summary outlives the change.
 */
export function currentPrompt(prompt: Prompt): Prompt {
  const change = remembering(olderParts, currentPart);
  const parts = { inMessage: change, inResult: change };
  return mapList(
    prompt,
    remembering(olderMessages, (message) => mapParts(message, parts)),
  );
}

/** The way back of {@link currentPrompt}. */
export function olderPrompt(prompt: Prompt): Prompt {
  const parts = {
    inMessage: (part: Fields) => olderParts.get(part) ?? olderFile(part),
    inResult: (part: Fields) => olderParts.get(part) ?? olderResultFile(part),
  };
  return mapList(prompt, (message) => olderMessages.get(message) ?? mapParts(message, parts));
}

function remembering<T extends object>(
  madeOf: WeakMap<T, T>,
  change: (given: T) => T,
): (given: T) => T {
  return (given) => {
    const changed = change(given);
    if (changed !== given) madeOf.set(changed, given);
    return changed;
  };
}

interface PartChange {
  readonly inMessage: (part: Fields) => Fields;
  readonly inResult: (part: Fields) => Fields;
}

/** Changes the parts of a message; what is not changed stays the same object. */
function mapParts(message: Message, change: PartChange): Message {
  return withChanged(message, 'content', (part) => {
    if (part['type'] !== 'tool-result') return change.inMessage(part);
    const { output } = part;
    if (!isObject(output) || output['type'] !== 'content') return part;
    const changed = withChanged(output, 'value', change.inResult);
    return changed === output ? part : { ...part, output: changed };
  });
}

function withChanged<T extends object>(
  holder: T,
  name: string,
  change: (part: Fields) => Fields,
): T {
  const list: unknown = Reflect.get(holder, name);
  if (!Array.isArray(list)) return holder;
  const changed = mapList<unknown>(list, (part) => (isObject(part) ? change(part) : part));
  return changed === list ? holder : Object.assign({ ...holder }, { [name]: changed });
}

function mapList<Item>(list: Item[], change: (item: Item) => Item): Item[] {
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}

function currentPart(part: Fields): Fields {
  const { type, data, url, fileId, filename, mediaType, providerOptions } = part;
  const kind = String(type).startsWith('image') ? 'image' : 'application';
  const file = { type: 'file', filename, mediaType: mediaType ?? kind, providerOptions };
  switch (type) {
    case 'file': {
      if (data instanceof URL) return { ...part, data: { type: 'url', url: data } };
      const isData = typeof data === 'string' || ArrayBuffer.isView(data);
      return isData ? { ...part, data: { type: 'data', data } } : part;
    }
    case 'file-data':
    case 'image-data':
      return { ...file, data: { type: 'data', data } };
    case 'file-url':
    case 'image-url': {
      if (!URL.canParse(String(url))) return part;
      return { ...file, data: { type: 'url', url: new URL(String(url)) } };
    }
    case 'file-id':
    case 'image-file-id': {
      const reference = isObject(fileId) ? fileId : { id: fileId };
      return { ...file, data: { type: 'reference', reference } };
    }
    default:
      return part;
  }
}

function olderFile(part: Fields): Fields {
  const { type, data } = part;
  if (type !== 'file' || !isObject(data)) return part;
  switch (data['type']) {
    case 'data':
      return { ...part, data: data['data'] };
    case 'url':
      return { ...part, data: data['url'] };
    default:
      return part;
  }
}

function olderResultFile(part: Fields): Fields {
  const { type, data, ...file } = part;
  if (type !== 'file' || !isObject(data)) return part;
  switch (data['type']) {
    case 'data':
      return { ...file, type: 'file-data', data: data['data'] };
    case 'url':
      return { ...file, type: 'file-url', url: String(data['url']) };
    case 'reference':
      return { ...file, type: 'file-id', fileId: data['reference'] };
    default:
      return part;
  }
}
