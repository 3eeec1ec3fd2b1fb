import { redirect } from 'next/navigation';
import { connection } from 'next/server';
import { newChatId } from '../lib/chat-id.ts';

/** Opens a new chat: its first screen shows what this is about. */
export default async function HomePage(): Promise<never> {
  await connection();
  redirect(`/chat/${newChatId()}`);
}
