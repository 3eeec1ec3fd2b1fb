import { readdir, readFile } from 'node:fs/promises';
import { textOf, type ChatMessage } from './chat-message.ts';
import { defaultSettings, type ChatSettings } from './chat-settings.ts';
import { dataPath, writeWhole } from './data-folder.ts';

/** One conversation as it is kept. */
export interface Chat {
  readonly id: string;
  readonly settings: ChatSettings;
  readonly messages: readonly ChatMessage[];
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A line of the list of conversations. */
export interface ChatEntry {
  readonly id: string;
  readonly title: string;
}

/** Whether a text can be the id of a chat. It becomes part of a file name, so nothing else may. */
export function isChatId(id: string): boolean {
  return /^[A-Za-z0-9]{8,40}$/.test(id);
}

/** Reads a chat; one that nobody has written to yet is empty. */
export async function loadChat(id: string): Promise<Chat> {
  if (!isChatId(id)) throw new RangeError(`${id}: not the id of a chat.`);
  const text = await readFile(chatFile(id), 'utf8').catch(ignoreMissing);
  if (text === undefined) return { id, settings: defaultSettings, messages: [], updatedAt: 0 };
  // Only `updateChat` writes these files.
  const chat: Chat = JSON.parse(text);
  return chat;
}

/** Changes a chat, one change after the other. What `change` throws leaves the chat as it was. */
export async function updateChat(id: string, change: (chat: Chat) => Partial<Chat>): Promise<Chat> {
  const update = async (): Promise<Chat> => {
    const chat = await loadChat(id);
    const changed = { ...chat, ...change(chat), updatedAt: Date.now() };
    await writeWhole(chatFile(id), JSON.stringify(changed));
    return changed;
  };
  const turn = (queues.get(id) ?? Promise.resolve()).then(update, update);
  queues.set(id, turn);
  return await turn;
}

/** Lists the chats, the latest first. */
export async function listChats(): Promise<readonly ChatEntry[]> {
  const files = (await readdir(dataPath('chats')).catch(ignoreMissing)) ?? [];
  const ids = files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -5));
  const chats = await Promise.all(ids.map(loadChat));
  return chats
    .filter(({ messages }) => messages.length > 0)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ id, messages }) => ({ id, title: titleOf(messages) }));
}

const queues = new Map<string, Promise<unknown>>();

function chatFile(id: string): string {
  return dataPath('chats', `${id}.json`);
}

function titleOf([first]: readonly ChatMessage[]): string {
  const text = first === undefined ? '' : textOf(first);
  return text.length > 60 ? `${text.slice(0, 60).trimEnd()}…` : text;
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
