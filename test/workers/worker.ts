// A Worker as docs/deploy.md describes it. The tests run it in workerd.
import { createOpenAI } from '@ai-sdk/openai';
import { streamText, wrapLanguageModel, type ModelMessage } from 'ai';
import { summarizationMiddleware, type SummarizationEvent } from 'ai-sdk-summarization';
import { waitUntil } from 'cloudflare:workers';

/** Written into the bundle by the test. */
declare const modelUrl: string;

let summaries = 0;
let failures: string[] = [];
const onEvent = (event: SummarizationEvent): void => {
  if (event.type === 'end') summaries += 1;
  if (event.type === 'failed')
    failures.push(`${event.stage}: ${event.reason} ${String(event.error)}`);
};

// At module level, where a Worker may neither draw a random number, nor set a timer, nor fetch.
const models = createOpenAI({ baseURL: modelUrl, apiKey: 'none' });
const options = { contextLength: 8000, summaryTimeoutMs: 3000, maxWaitMs: 300, onEvent };
const model = wrapLanguageModel({
  model: models.chat('a-model'),
  middleware: summarizationMiddleware(options),
});
const inBackground = wrapLanguageModel({
  model: models.chat('a-model'),
  middleware: summarizationMiddleware({ ...options, background: waitUntil }),
});

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/told') {
    const told = { summaries, failures };
    [summaries, failures] = [0, []];
    return Response.json(told);
  }
  const messages: ModelMessage[] = await request.json();
  const result = streamText({
    model: pathname === '/background' ? inBackground : model,
    messages,
    maxRetries: 0,
    abortSignal: request.signal,
  });
  return result.toTextStreamResponse();
}

const handlers: { readonly fetch: typeof answer } = { fetch: answer };
export default handlers;
