import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { serve } from '@hono/node-server';
import { convertToModelMessages, safeValidateUIMessages, streamText, wrapLanguageModel } from 'ai';
import { summarizationMiddleware, type SummarizationCallOptions } from 'ai-sdk-summarization';
import { redisStore } from 'ai-sdk-summarization/redis';
import { Hono } from 'hono';
import { createClient } from 'redis';

const env = process.env;
const url = env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
const redis = createClient({ url }).on('error', (error) => console.error(error));
await redis.connect();

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
    store: redisStore(redis),
    secret: env['SUMMARY_SECRET'] ?? 'only for trying it out', // the same for all instances
    background: true, // a summary is prepared beside an answer, before it is due
  }),
});

// Replaces your sessions: the holder of a token acts for its tenant.
const tenants: Readonly<Record<string, string>> = JSON.parse(env['TENANTS'] ?? '{"demo":"demo"}');

const app = new Hono<{ Variables: { tenant: string } }>();

app.use(async (context, next) => {
  const token = context.req.header('authorization')?.replace(/^Bearer +/, '') ?? '';
  const tenant = Object.hasOwn(tenants, token) ? tenants[token] : undefined;
  if (tenant === undefined) return context.text('Unauthorized', 401);
  context.set('tenant', tenant);
  return next();
});

/** Body that `useChat` sends: the whole history, in each request. */
app.post('/chat', async (context) => {
  const { messages }: { messages?: unknown } = Object(await context.req.json().catch(() => ({})));
  const checked = await safeValidateUIMessages({ messages });
  if (!checked.success) return context.text(checked.error.message, 400);
  const result = streamText({
    model,
    instructions: 'Answer in a few words.',
    messages: await convertToModelMessages(checked.data),
    abortSignal: context.req.raw.signal,
    providerOptions: {
      summarization: { namespace: context.get('tenant') } satisfies SummarizationCallOptions,
    },
  });
  return result.toUIMessageStreamResponse();
});

const port = Number(env['PORT'] ?? 3000);
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, () => console.log('ready'));

process.once('SIGTERM', () => server.close(() => void redis.close()));
