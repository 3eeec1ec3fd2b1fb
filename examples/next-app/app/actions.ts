'use server';

import {
  eraseConversation,
  listSummaries,
  SummarizationError,
  SummarizationOptionError,
  undoSummarization,
  type SummaryRecord,
} from 'ai-sdk-summarization';
import { revalidatePath } from 'next/cache';
import { cookies } from 'next/headers';
import { z } from 'zod';
import { switchedTo } from '../lib/branches.ts';
import type { ChatMessage } from '../lib/chat-message.ts';
import { chatSettingsSchema, type ChatSettings } from '../lib/chat-settings.ts';
import { isChatId } from '../lib/chat-id.ts';
import { loadChat, removeChat, updateChat, type ChatKey } from '../lib/chat-store.ts';
import { takeTurn } from '../lib/chat-turns.ts';
import { ownerCookie, ownerOf } from '../lib/owner.ts';
import { summaryState } from '../lib/summary-state.ts';
import { toolsOf } from '../lib/tools.ts';

/** Result of a change of settings. */
export interface SavedSettings {
  readonly settings?: ChatSettings;
  /** Errors, by the name of the field. */
  readonly problems: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Checks the settings of a conversation and keeps them. */
export async function saveSettings(chatId: string, form: FormData): Promise<SavedSettings> {
  const checked = chatSettingsSchema.safeParse(Object.fromEntries(form));
  if (!checked.success) return { problems: z.flattenError(checked.error).fieldErrors };
  const settings = updateChat(await keyOf(chatId), () => ({ settings: checked.data }))?.settings;
  return settings === undefined ? { problems: {} } : { settings, problems: {} };
}

/** Names a chat; a blank name gives it back the one of its first message. */
export async function renameChat(chatId: string, title: string): Promise<void> {
  const named = title.trim().slice(0, 80);
  updateChat(await keyOf(chatId), () => ({ title: named === '' ? undefined : named }));
  revalidatePath('/chat/[id]', 'page');
}

/** Removes a chat, and with it all that is stored of its summaries. */
export async function deleteChat(chatId: string): Promise<void> {
  const key = await keyOf(chatId);
  // An answer that is being written would bring it back.
  const endTurn = await takeTurn(key.id);
  try {
    removeChat(key);
    await eraseConversation({ ...summaryState(key.owner), conversationId: key.id });
  } finally {
    endTurn();
  }
  revalidatePath('/chat/[id]', 'page');
}

/** Shows another version of a message, with what followed it. */
export async function switchVersion(chatId: string, messageId: string): Promise<void> {
  const key = await keyOf(chatId);
  const endTurn = await takeTurn(key.id);
  updateChat(key, (chat) => switchedTo(chat, messageId) ?? {});
  endTurn();
}

/** Takes the latest summary back, and its divider with it. Returns how many messages it stood for. */
export async function undoSummary(chatId: string): Promise<number | undefined> {
  const key = await keyOf(chatId);
  const endTurn = await takeTurn(key.id);
  try {
    const access = { ...summaryState(key.owner), conversationId: key.id };
    // State of the version on the page; summaries made in the background are not on it.
    const record = latestRecord(loadChat(key)?.messages ?? []) ?? (await listSummaries(access))[0];
    if (record === undefined) return undefined;
    await undoSummarization({ ...access, record });
    updateChat(key, ({ messages }) => ({ messages: withoutSummary(messages, record.id) }));
    return record.coveredMessages;
  } catch (error) {
    // Taken back before, or continued by another version.
    if (SummarizationOptionError.isInstance(error)) return undefined;
    throw error;
  } finally {
    endTurn();
  }
}

/** A passage of what was summarized, word for word. */
export interface Recalled {
  readonly role: string;
  readonly text: string;
}

/** Searches what was summarized in a chat: what the model's tool `recall` finds. */
export async function recallWords(chatId: string, words: string): Promise<readonly Recalled[]> {
  const { id, owner } = await keyOf(chatId);
  const { execute } = toolsOf(summaryState(owner), id).recall;
  const query = words.slice(0, 200);
  try {
    const found = await execute?.({ query }, { toolCallId: 'page', messages: [], context: {} });
    if (found === undefined || !('passages' in found)) return [];
    return found.passages.map(({ role, text }) => ({ role, text }));
  } catch (error) {
    if (SummarizationError.isInstance(error)) return [];
    throw error;
  }
}

async function keyOf(id: string): Promise<ChatKey> {
  const owner = ownerOf((await cookies()).get(ownerCookie)?.value);
  if (owner === undefined || !isChatId(id)) throw new Error('There is no such chat.');
  return { id, owner };
}

function latestRecord(messages: readonly ChatMessage[]): SummaryRecord | undefined {
  return messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) =>
      part.type === 'data-summary' && part.data.state === 'done' ? part.data.record : [],
    )
    .at(-1);
}

function withoutSummary(messages: readonly ChatMessage[], recordId: string): ChatMessage[] {
  return messages.map((message) => {
    const parts = message.parts.filter(
      (part) =>
        part.type !== 'data-summary' ||
        part.data.state !== 'done' ||
        part.data.record.id !== recordId,
    );
    return parts.length === message.parts.length ? message : { ...message, parts };
  });
}
