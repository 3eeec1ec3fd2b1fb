// The flow of the route of Vercel's chatbot template: messages in Postgres through Drizzle on postgres.js, the last one
// from the client. What is added to the template is marked.
import {
  convertToModelMessages,
  createUIMessageStream,
  createUIMessageStreamResponse,
  generateId,
  streamText,
  toUIMessageStream,
  wrapLanguageModel,
  type UIMessage,
} from 'ai';
import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import { json, pgTable, text, timestamp, varchar } from 'drizzle-orm/pg-core';
import postgres from 'postgres';
import { expect, it, onTestFinished } from 'vitest';
import { countPromptTokens, listSummaries, summarizationMiddleware } from '../../src/index.ts';
import { postgresStore } from '../../src/state/stores/postgres-store.ts';
import { words } from '../support/messages.ts';
import { answer, chatModel, summarizerModel } from '../support/models.ts';
import { promptsOf } from '../support/prompts.ts';
import { isInstalled } from '../support/servers/find-program.ts';
import { startPostgres } from '../support/servers/postgres-server.ts';

const message = pgTable('Message_v2', {
  id: text('id').primaryKey(),
  chatId: text('chatId').notNull(),
  role: varchar('role').notNull().$type<UIMessage['role']>(),
  parts: json('parts').notNull().$type<UIMessage['parts']>(),
  createdAt: timestamp('createdAt').notNull(),
});

const contextLength = 3000;
const secret = 'as openssl rand -base64 32 makes one';
const rule = 'Never use semicolons.';
const session = { user: { id: 'user-1' } };

const isHere = isInstalled('initdb') && isInstalled('postgres');

it.skipIf(!isHere)("the route of Vercel's chatbot template, with its three edits", async () => {
  const server = await startPostgres();
  // lib/db/queries.ts
  const client = postgres(server.url, { onnotice: () => {} });
  onTestFinished(async () => {
    await client.end();
    await server.stop();
  });
  const db = drizzle(client);
  await client`CREATE TABLE "Message_v2" (id text PRIMARY KEY, "chatId" text, role varchar, parts json, "createdAt" timestamp)`;
  const store = postgresStore({ client: db }); // 1: the store is the template's own database,
  await store.createTable(); // made where the template migrates

  const inner = chatModel({ text: `Understood. ${words(7, 90)}` });
  const summarizer = summarizerModel(answer({ summary: 'They spoke of rivers.' }));

  // lib/ai/providers.ts: an instance makes it once.
  const getLanguageModel = () => {
    // 2: the model is wrapped
    const middleware = summarizationMiddleware({
      contextLength,
      store,
      secret,
      summarizerModelPreference: summarizer,
    });
    return wrapLanguageModel({ model: inner, middleware });
  };

  let model = getLanguageModel();
  let seconds = 0;
  const saveMessages = async (id: string, messages: readonly UIMessage[]): Promise<void> => {
    const createdAt = new Date((seconds += 1) * 1000);
    const rows = messages.map(({ id: own, role, parts }) => ({
      id: own,
      chatId: id,
      role,
      parts,
      createdAt,
    }));
    if (rows.length > 0) await db.insert(message).values(rows);
  };

  // app/(chat)/api/chat/route.ts
  const POST = async (request: Request): Promise<Response> => {
    const { id, message: last }: { id: string; message: UIMessage } = await request.json();
    const rows = await db
      .select()
      .from(message)
      .where(eq(message.chatId, id))
      .orderBy(asc(message.createdAt));
    const uiMessages = [
      ...rows.map(({ id: own, role, parts }) => ({ id: own, role, parts })),
      last,
    ];
    await saveMessages(id, [last]);
    const modelMessages = await convertToModelMessages(uiMessages);
    const stream = createUIMessageStream({
      execute: ({ writer }) => {
        const result = streamText({
          model,
          instructions: 'You are a friendly assistant.',
          messages: modelMessages,
          // 3: whose conversation it is, and which
          providerOptions: {
            summarization: { namespace: session.user.id, conversationId: id },
          },
        });
        writer.merge(toUIMessageStream({ stream: result.stream, sendReasoning: true }));
      },
      generateId,
      onEnd: async ({ messages }) => saveMessages(id, messages),
    });
    return createUIMessageStreamResponse({ stream });
  };

  const said = (turn: number): string =>
    `${turn === 0 ? rule : ''} Question ${turn}: ${words(turn, 90)}`;
  for (let turn = 0; turn < 40; turn += 1) {
    // Another instance, half-way.
    if (turn === 20) model = getLanguageModel();
    const parts = [{ type: 'text', text: said(turn) }];
    const body = JSON.stringify({ id: 'chat-1', message: { id: `m${turn}`, role: 'user', parts } });
    const response = await POST(new Request('http://app/api/chat', { method: 'POST', body }));
    expect(await response.text()).toContain('Understood');
  }
  const prompts = promptsOf(inner);
  expect(prompts).toHaveLength(40);
  for (const prompt of prompts) {
    expect((await countPromptTokens({ messages: prompt })).total).toBeLessThanOrEqual(
      contextLength,
    );
    expect(JSON.stringify(prompt)).toContain(rule);
  }
  expect(await db.select().from(message)).toHaveLength(80);
  const paid = summarizer.doGenerateCalls.length;
  expect(paid).toBeGreaterThan(0);
  expect(paid).toBeLessThan(14);
  const own = { store, secret, conversationId: 'chat-1' };
  expect(await listSummaries({ ...own, namespace: session.user.id })).not.toEqual([]);
  expect(await listSummaries({ ...own, namespace: 'user-2' })).toEqual([]);
});
