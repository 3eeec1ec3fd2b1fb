import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { generateText, tool, wrapLanguageModel, type ModelMessage } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { postgresStore } from 'ai-sdk-summarization/postgres';
import { Pool } from 'pg';
import { z } from 'zod';

const env = process.env;
const url = env['DATABASE_URL'] ?? 'postgres://127.0.0.1/postgres';
const pool = new Pool({ connectionString: url });
pool.on('error', (error) => console.error(error));
const store = postgresStore({ client: pool });

const models = createOpenAICompatible({
  name: 'models',
  baseURL: env['MODEL_URL'] ?? 'http://127.0.0.1:11434/v1',
  supportsStructuredOutputs: true,
});

// Summaries are in the store, not in the workflow: whichever process goes on finds them there.
const model = wrapLanguageModel({
  model: models(env['MODEL'] ?? 'gpt-oss:20b'),
  middleware: summarizationMiddleware({
    contextLength: Number(env['CONTEXT_LENGTH'] ?? 128_000),
    store,
    secret: env['SUMMARY_SECRET'] ?? 'only for trying it out',
  }),
});

const inputSchema = z.object({ name: z.string() });
const description = 'Reads a file of the folder.';
// Run below, in steps of their own.
const tools = { read_file: tool({ description, inputSchema, outputSchema: z.string() }) };

/** A call of the model, and nothing else: its answer is written down before the next step begins. */
async function ask(messages: ModelMessage[]) {
  const instructions = 'Read what you need, one file at a time, then answer in one sentence.';
  const answer = await generateText({ model, tools, instructions, messages });
  const { responseMessages, toolCalls, text } = answer;
  const calls = toolCalls.flatMap((call) => (call.dynamic === true ? [] : [call]));
  return { responseMessages, calls, text };
}

async function read(name: string): Promise<string> {
  const file = path.resolve(env['FOLDER'] ?? '.', path.basename(name));
  return readFile(file, 'utf8').catch(String); // a wrong name is for the model to mend
}

/** An agent that goes on where it was, whenever its process ends. */
const agent = DBOS.registerWorkflow(
  async (task: string): Promise<string> => {
    const messages: ModelMessage[] = [{ role: 'user', content: task }];
    for (;;) {
      const answer = await DBOS.runStep(async () => ask(messages), { name: 'ask' });
      messages.push(...answer.responseMessages);
      if (answer.calls.length === 0) return answer.text;
      for (const { toolCallId, toolName, input } of answer.calls) {
        const value = await DBOS.runStep(async () => read(input.name), { name: 'read' });
        const output = { type: 'text', value } as const;
        const result = { type: 'tool-result', toolCallId, toolName, output } as const;
        messages.push({ role: 'tool', content: [result] });
      }
    }
  },
  { name: 'agent' },
);

await store.createTable();
DBOS.setConfig({ name: 'durable-agent', systemDatabaseUrl: url, logLevel: 'warn' });
await DBOS.launch(); // what another process left unfinished goes on here
const [workflowID = 'first', task = 'Compare the files.'] = process.argv.slice(2);
const known = await DBOS.getWorkflowStatus(workflowID);
const start = async () => DBOS.startWorkflow(agent, { workflowID })(task);
const handle = known === null ? await start() : DBOS.retrieveWorkflow<string>(workflowID);
console.log(`done ${await handle.getResult()}`);
await Promise.all([DBOS.shutdown(), pool.end()]);
