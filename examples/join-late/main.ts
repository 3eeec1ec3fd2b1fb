// Makes the summaries of the chats in a table, before their users come back:
//
//   export SUMMARY_SECRET="$(openssl rand -base64 32)" # that of the application
//   node examples/join-late/main.ts chats.db
//
// The table is `chats (id TEXT PRIMARY KEY, messages TEXT)`, with the UI messages of each as JSON; change `chatsAfter` for
// another. Ended at any point, it goes on where it was: the id of the last chat that is done stands in `join-late.txt`.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openai } from '@ai-sdk/openai';
import { sqliteStore } from 'ai-sdk-summarization/sqlite';
import { barOf, joinChats, type StoredChat } from './join-chats.ts';

const { SUMMARY_SECRET: secret, OPENAI_MODEL: modelId = 'gpt-5-mini' } = process.env;
const [path] = process.argv.slice(2);
if (path === undefined || secret === undefined)
  throw new Error('Usage: SUMMARY_SECRET=… node examples/join-late/main.ts chats.db');

const mark = 'join-late.txt';
const after = existsSync(mark) ? readFileSync(mark, 'utf8') : '';
const database = new DatabaseSync(path, { readOnly: true });

function* chatsAfter(id: string): Generator<StoredChat> {
  const rows = database
    .prepare('SELECT id, messages FROM chats WHERE id > ? ORDER BY id')
    .iterate(id);
  for (const row of rows)
    yield { id: String(row['id']), messages: JSON.parse(String(row['messages'])) };
}

const counted = database.prepare('SELECT count(*) AS chats FROM chats WHERE id > ?').get(after);
const total = Number(counted?.['chats']);
const { failed } = await joinChats(chatsAfter(after), {
  model: openai(modelId),
  store: sqliteStore({ path: 'summaries.db' }), // the store of the application
  secret,
  onProgress: (progress) => {
    writeFileSync(mark, progress.last);
    process.stdout.write(`\r${barOf(progress, total)}`);
  },
});
process.stdout.write('\n');
if (failed.length > 0) console.error(`Their next call makes it: ${failed.join(', ')}`);
