import { DatabaseSync } from 'node:sqlite';
import { dataPath } from './app-data.ts';
import { textOf, type ChatMessage } from './chat-message.ts';
import { chatSettingsSchema, defaultSettings, type ChatSettings } from './chat-settings.ts';
import { keptDays } from './owner.ts';

/** One conversation as it is kept. */
export interface Chat {
  readonly id: string;
  /** `undefined` until it is named: the first message stands for it. */
  readonly title: string | undefined;
  readonly settings: ChatSettings;
  readonly messages: readonly ChatMessage[];
  /** Versions replaced by edits and new answers: each a whole conversation. */
  readonly branches: readonly (readonly ChatMessage[])[];
}

/** A line of the list of conversations. */
export interface ChatEntry {
  readonly id: string;
  readonly title: string;
}

/** Identity of a chat. */
export interface ChatKey {
  readonly id: string;
  readonly owner: string;
}

/** Reads a chat; one that nobody has written to yet is empty. `undefined` for another's. */
export function loadChat({ id, owner }: ChatKey): Chat | undefined {
  const row = database().prepare('SELECT owner, title, content FROM chats WHERE id = ?').get(id);
  if (row === undefined) {
    return { id, title: undefined, settings: defaultSettings, messages: [], branches: [] };
  }
  if (row['owner'] !== owner) return undefined;
  const { messages, branches, settings }: Chat = JSON.parse(String(row['content']));
  const title = row['title'] === null ? undefined : String(row['title']);
  // Settings of an earlier version may lack some.
  const current = chatSettingsSchema.safeParse({ ...defaultSettings, ...settings }).data;
  return { id, title, settings: current ?? defaultSettings, messages, branches };
}

/**
 * Changes a chat. Reading, changing and writing are one step: nothing comes in between, in this process or another.
 * An error of `change` leaves the chat unchanged. `undefined` for another user's chat.
 */
export function updateChat(key: ChatKey, change: (chat: Chat) => Partial<Chat>): Chat | undefined {
  const db = database();
  db.exec('BEGIN IMMEDIATE');
  try {
    const chat = loadChat(key);
    const changed = chat && { ...chat, ...change(chat) };
    if (changed) write(key, changed);
    db.exec('COMMIT');
    return changed;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** Lists the chats of an owner, the latest first. Those whose time has passed, of anyone, leave. */
export function listChats(owner: string): readonly ChatEntry[] {
  const oldest = Date.now() - keptDays * 24 * 60 * 60 * 1_000;
  database().prepare('DELETE FROM chats WHERE updated < ?').run(oldest);
  const rows = database()
    .prepare('SELECT id, title, opening FROM chats WHERE owner = ? ORDER BY updated DESC LIMIT 200')
    .all(owner);
  return rows
    .map((row) => ({ id: String(row['id']), title: String(row['title'] ?? row['opening']) }))
    .filter(({ title }) => title !== '');
}

/** Removes a chat. */
export function removeChat({ id, owner }: ChatKey): void {
  database().prepare('DELETE FROM chats WHERE id = ? AND owner = ?').run(id, owner);
}

function write({ id, owner }: ChatKey, { title, ...chat }: Chat): void {
  const opening = chat.messages[0] === undefined ? '' : textOf(chat.messages[0]).slice(0, 80);
  database()
    .prepare(
      `INSERT INTO chats (id, owner, title, opening, content, updated) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET title = excluded.title, opening = excluded.opening,
         content = excluded.content, updated = excluded.updated`,
    )
    .run(id, owner, title ?? null, opening, JSON.stringify(chat), Date.now());
}

let opened: DatabaseSync | undefined;

function database(): DatabaseSync {
  if (opened !== undefined) return opened;
  const db = new DatabaseSync(dataPath('chats.db'), { timeout: 5_000 });
  db.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS chats (
      id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT, opening TEXT NOT NULL, content TEXT NOT NULL,
      updated INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS chats_of_owner ON chats (owner, updated);`);
  opened = db;
  return db;
}
