import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { LangfuseVercelAiSdkIntegration } from '@langfuse/vercel-ai-sdk';
import { registerTelemetry } from 'ai';
import { expect, it, onTestFinished } from 'vitest';
import { summarizeConversation } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { answer, billedResult, summarizerModel } from '../support/models.ts';

it("a summary's tokens are on one span of Langfuse's integration", async () => {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  const tracer = new BasicTracerProvider({ spanProcessors }).getTracer('test');
  registerTelemetry(new LangfuseVercelAiSdkIntegration({ tracer }));
  onTestFinished(() => void globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.pop());
  const model = summarizerModel(() => billedResult(answer(), 4711, 815));
  const made = await summarizeConversation({ messages: chat(40), model });
  expect(made.ok).toBe(true);
  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name }) => name)).toEqual(['chat summarizer', 'invoke_agent summarizer']);
  const tokens = spans.map(({ attributes }) => attributes['gen_ai.usage.input_tokens']);
  expect(tokens).toEqual([4711, undefined]);
});
