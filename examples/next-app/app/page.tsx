import { generateId } from 'ai';
import { redirect } from 'next/navigation';
import { connection } from 'next/server';
import { listChats } from '../lib/chat-store.ts';

/** Opens the latest chat, or a new one. */
export default async function HomePage(): Promise<never> {
  await connection();
  const [latest] = await listChats();
  redirect(`/chat/${latest?.id ?? generateId()}`);
}
