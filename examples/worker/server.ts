import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { generateText, modelMessageSchema, wrapLanguageModel } from 'ai';
import {
  summarizationMiddleware,
  type SummarizationCallOptions,
  type SummaryJob,
} from 'ai-sdk-summarization';
import { Queue } from 'bullmq';
import { z } from 'zod';
import { connection, model, options, queueName, state } from './shared.ts';

const queue = new Queue<SummaryJob>(queueName, { connection });

const wrapped = wrapLanguageModel({
  model,
  middleware: summarizationMiddleware({
    ...options,
    ...state,
    background: {
      enqueue: (job) =>
        queue.add('summary', job, {
          // A waiting job is not added again; a finished or failed one can be.
          jobId: job.id,
          removeOnComplete: true,
          removeOnFail: true,
          attempts: 3,
          backoff: { type: 'exponential', delay: 5000 },
        }),
    },
    onEvent: (event) => {
      if (event.type === 'failed') console.error(event.reason, event.error);
    },
  }),
});

/** A chat as the client sends it: whose it is must come from the session in an application. */
const chat = z.object({ conversationId: z.string().min(1), messages: z.array(modelMessageSchema) });

const server = createServer(async (request, response) => {
  try {
    const { conversationId, messages } = chat.parse(await json(request));
    const providerOptions = {
      summarization: { conversationId } satisfies SummarizationCallOptions,
    };
    const instructions = 'Answer in a few words.';
    const call = { model: wrapped, instructions, messages, providerOptions };
    const { text } = await generateText(call);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ text }));
  } catch (error) {
    console.error(error);
    response.writeHead(error instanceof z.ZodError ? 400 : 502).end();
  }
});

server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
await once(server, 'listening');
console.log('ready');
