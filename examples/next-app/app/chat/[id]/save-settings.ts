'use server';

import { z } from 'zod';
import { chatSettingsSchema, type ChatSettings } from '../../../lib/chat-settings.ts';
import { isChatId, updateChat } from '../../../lib/chat-store.ts';

/** What became of settings that were sent. */
export interface SavedSettings {
  readonly settings?: ChatSettings;
  /** What is wrong, by the name of the field. */
  readonly problems: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Checks the settings of a conversation and keeps them. */
export async function saveSettings(chatId: string, form: FormData): Promise<SavedSettings> {
  const checked = chatSettingsSchema.safeParse(Object.fromEntries(form));
  if (!checked.success) return { problems: z.flattenError(checked.error).fieldErrors };
  if (!isChatId(chatId)) return { problems: {} };
  const { settings } = await updateChat(chatId, () => ({ settings: checked.data }));
  return { settings, problems: {} };
}
