import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { convertToModelMessages, safeValidateUIMessages, streamText, wrapLanguageModel } from 'ai';
import { summarizationMiddleware, type SummarizationCallOptions } from 'ai-sdk-summarization';
import { redisStore } from 'ai-sdk-summarization/redis';
import { Redis } from '@upstash/redis';

/** What the platform binds: variables and secrets of the worker. */
export interface Env {
  readonly MODEL_URL: string;
  readonly MODEL: string;
  readonly CONTEXT_LENGTH: string;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  readonly SUMMARY_SECRET: string;
  /** In place of your sessions: JSON of tokens, each with its tenant. */
  readonly TENANTS: string;
}

interface ExecutionContext {
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** What an isolate keeps: a client over fetch, and with it what this isolate knows of the store. */
let store: ReturnType<typeof redisStore> | undefined;

function modelOf(env: Env, context: ExecutionContext) {
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env;
  store ??= redisStore(new Redis({ url, token, enableTelemetry: false }));
  const models = createOpenAICompatible({
    name: 'models',
    baseURL: env.MODEL_URL,
    supportsStructuredOutputs: true,
  });
  return wrapLanguageModel({
    model: models(env.MODEL),
    middleware: summarizationMiddleware({
      contextLength: Number(env.CONTEXT_LENGTH),
      store,
      secret: env.SUMMARY_SECRET,
      background: (work) => context.waitUntil(work), // goes on when the answer is sent
    }),
  });
}

/** Answers what `useChat` sends: the whole history, in each request. */
async function answer(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
  const tenants: Readonly<Record<string, string>> = JSON.parse(env.TENANTS);
  const token = request.headers.get('authorization')?.replace(/^Bearer +/, '') ?? '';
  const namespace = Object.hasOwn(tenants, token) ? tenants[token] : undefined;
  if (namespace === undefined) return new Response('Unauthorized', { status: 401 });
  const { messages }: { messages?: unknown } = Object(await request.json().catch(() => ({})));
  const checked = await safeValidateUIMessages({ messages });
  if (!checked.success) return new Response(checked.error.message, { status: 400 });
  const result = streamText({
    model: modelOf(env, context),
    instructions: 'Answer in a few words.',
    messages: await convertToModelMessages(checked.data),
    abortSignal: request.signal,
    providerOptions: { summarization: { namespace } satisfies SummarizationCallOptions },
  });
  return result.toUIMessageStreamResponse();
}

const worker: { readonly fetch: typeof answer } = { fetch: answer };

export default worker;
