import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { WorkflowAgent } from '@ai-sdk/workflow';
import type { LanguageModel, LanguageModelMiddleware, ModelMessage } from 'ai';
import { summarizationMiddleware } from 'ai-sdk-summarization';
import { durableModel, registerMiddleware } from 'ai-sdk-summarization/durable';
import { sqliteStore } from 'ai-sdk-summarization/sqlite';
import { getWritable } from 'workflow';

async function summaries(): Promise<LanguageModelMiddleware> {
  'use step';
  return summarizationMiddleware({
    store: sqliteStore({ path: String(process.env['DATABASE']) }),
    secret: 'the secret of this test',
    contextLength: 4000,
  });
}
registerMiddleware('summaries', summaries);

async function scripted(): Promise<LanguageModel> {
  'use step';
  const baseURL = String(process.env['MODEL_URL']);
  return createOpenAICompatible({ name: 'models', baseURL, supportsStructuredOutputs: true })(
    'a-model',
  );
}

export async function chat(messages: ModelMessage[]): Promise<string | undefined> {
  'use workflow';
  const agent = new WorkflowAgent({
    model: durableModel({ model: scripted, middleware: 'summaries' }),
  });
  const { steps } = await agent.stream({ messages, writable: getWritable() });
  return steps.at(-1)?.text;
}
