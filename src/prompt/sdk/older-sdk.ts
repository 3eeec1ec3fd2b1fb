import type { Message, Prompt } from '../messages/prompt-types.ts';
import { isObject } from '../../foundations/util/is-object.ts';

/** Whether a module `ai` is that of AI SDK 6, which has other names for some settings. */
export function isOlderSDK(ai: { readonly isStepCount?: unknown }): boolean {
  // New in AI SDK 7, where it replaces `stepCountIs`.
  return ai.isStepCount === undefined;
}

type Fields = Readonly<Record<string | symbol, unknown>>;

/** The original of a part, which goes back in its position. Copies of the part keep it. */
const olderForm = Symbol('olderForm');
/** The original of a message, so that an unchanged message goes back as it came. */
const olderMessages = new WeakMap<Message, Message>();

/**
 * The messages of AI SDK 6 in the form of AI SDK 7, in which the package reads them; they differ in files
 * alone. The same object where there are none. Both forms have one identity: a summary outlives the change.
 */
export function currentPrompt(prompt: Prompt): Prompt {
  return mapList(prompt, (message) => {
    const changed = withParts(message, (part) => {
      const current = currentPart(part);
      return current === part ? part : { ...current, [olderForm]: part };
    });
    if (changed !== message) olderMessages.set(changed, message);
    return changed;
  });
}

/** The way back of {@link currentPrompt}. */
export function olderPrompt(prompt: Prompt): Prompt {
  return mapList(prompt, (message) => olderMessages.get(message) ?? withParts(message, olderPart));
}

function olderPart(part: Fields): Fields {
  const { [olderForm]: older, providerOptions } = part;
  if (!isObject(older)) return part;
  // Options of the package have been taken out of it since.
  return older['providerOptions'] === providerOptions ? older : { ...older, providerOptions };
}

/** Changes the parts of a message, and of what tools answered; what is not changed stays the same object. */
function withParts(message: Message, change: (part: Fields) => Fields): Message {
  return withList(message, 'content', (part) => {
    const { type, output } = part;
    if (type !== 'tool-result') return change(part);
    if (!isObject(output) || output['type'] !== 'content') return part;
    const changed = withList(output, 'value', change);
    return changed === output ? part : { ...part, output: changed };
  });
}

function withList<T extends object>(holder: T, name: string, change: (part: Fields) => Fields): T {
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
