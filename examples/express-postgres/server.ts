import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { convertToModelMessages, safeValidateUIMessages, streamText, wrapLanguageModel } from 'ai';
import { summarizationMiddleware, type SummarizationCallOptions } from 'ai-sdk-summarization';
import { postgresStore } from 'ai-sdk-summarization/postgres';
import express, { type RequestHandler } from 'express';
import { Pool } from 'pg';

const env = process.env;
const pool = new Pool({ connectionString: env['DATABASE_URL'] ?? 'postgres://127.0.0.1/postgres' });
pool.on('error', (error) => console.error(error)); // a lost connection would end the process

const store = postgresStore({ client: pool });
await store.createTable(); // once, by whoever is first

const models = createOpenAICompatible({
  name: 'models',
  baseURL: env['MODEL_URL'] ?? 'http://127.0.0.1:11434/v1',
  supportsStructuredOutputs: true,
});

// Wrapped once, for all tenants: whose call it is stands in its options.
const model = wrapLanguageModel({
  model: models(env['MODEL'] ?? 'gpt-oss:20b'),
  middleware: summarizationMiddleware({
    contextLength: Number(env['CONTEXT_LENGTH'] ?? 128_000),
    store,
    secret: env['SUMMARY_SECRET'] ?? 'only for trying it out', // the same for all instances
    background: true, // a summary is prepared beside an answer, before it is due
  }),
});

// In place of your sessions: who holds a token is the tenant behind it.
const tenants: Readonly<Record<string, string>> = JSON.parse(env['TENANTS'] ?? '{"demo":"demo"}');

const withTenant: RequestHandler = (request, response, next) => {
  const token = request.get('authorization')?.replace(/^Bearer +/, '') ?? '';
  response.locals['tenant'] = Object.hasOwn(tenants, token) ? tenants[token] : undefined;
  if (response.locals['tenant'] === undefined) response.sendStatus(401);
  else next();
};

/** What `useChat` sends: the whole history, in each request. */
const chat: RequestHandler = async (request, response) => {
  const { messages }: { messages?: unknown } = Object(request.body);
  const checked = await safeValidateUIMessages({ messages });
  if (!checked.success) {
    response.status(400).send(checked.error.message);
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const namespace = String(response.locals['tenant']);
  const result = streamText({
    model,
    instructions: 'Answer in a few words.',
    messages: await convertToModelMessages(checked.data),
    abortSignal: gone.signal,
    providerOptions: { summarization: { namespace } satisfies SummarizationCallOptions },
  });
  await result.pipeUIMessageStreamToResponse(response);
};

const app = express();
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 passes on what they reject with
app.post('/chat', withTenant, express.json({ limit: '10mb' }), chat);

const server = app.listen(Number(env['PORT'] ?? 3000), '127.0.0.1', () => console.log('ready'));

process.once('SIGTERM', () => server.close(() => void pool.end()));
