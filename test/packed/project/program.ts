// A program as a user writes it: it has to compile under AI SDK 6 and 7, strictly, and to run.
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, wrapLanguageModel, type ModelMessage } from 'ai';
import {
  countPromptTokens,
  explainSummarization,
  llmStrategy,
  memoryStore,
  summarizationMiddleware,
  summarizeConversation,
  type Message,
  type SummarizationEvent,
  type SummarizationOptions,
  type SummaryStrategy,
} from 'ai-sdk-summarization';
import { handoff } from 'ai-sdk-summarization/handoff';
import { recallTool } from 'ai-sdk-summarization/recall';
import { storeChecks } from 'ai-sdk-summarization/testing';
import { middleTruncate } from 'ai-sdk-summarization/text';

let calls = 0;
const openai = createOpenAI({
  apiKey: 'unused',
  fetch: async () => {
    calls += 1;
    return Response.json({
      id: 'chat-1',
      created: 0,
      model: 'gpt-4.1-mini',
      choices: [
        { index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' },
      ],
    });
  },
});
const inner = openai.chat('gpt-4.1-mini');

const own: SummaryStrategy = {
  name: 'own',
  summarize: async ({ messages }) => ({
    content: {
      summary: messages.map((message: Message) => message.role).join(', '),
      keyPoints: [],
      context: {
        participants: [],
        decisions: [],
        actionItems: [],
        unresolved: [],
        domainEntities: [],
        constraints: [],
      },
    },
    usage: { inputTokens: 0, outputTokens: 0 },
  }),
};

const events: SummarizationEvent[] = [];
const options: SummarizationOptions = {
  contextLength: 2500,
  store: memoryStore(),
  strategy: own,
  pin: (message) => message.role === 'system',
  onEvent: (event) => events.push(event),
};
const model = wrapLanguageModel({
  model: inner,
  middleware: [summarizationMiddleware(options), summarizationMiddleware({ enabled: false })],
});
const names: SummarizationOptions = { summarizerModelPreference: [inner, model] };
summarizationMiddleware({ ...names, strategy: 'llm' });
llmStrategy({ models: [inner] });

const messages: ModelMessage[] = Array.from({ length: 41 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${index}: ${'river stone cloud '.repeat(12)}`,
}));
messages.push({
  role: 'user',
  content: [
    { type: 'text', text: 'And this?' },
    { type: 'image', image: new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]) },
  ],
});

const tools = {
  recall: recallTool({
    messages,
    store: memoryStore(),
    secret: 'at least 32 characters long, so it is',
  }),
};
const { text } = await generateText({ model, messages, tools });
streamText satisfies unknown;
const { tokens } = await explainSummarization({ model, messages });
const { total } = await countPromptTokens({ messages });
const summarized = await summarizeConversation({
  messages,
  model,
  config: { strategy: 'rule-based' },
});
if (!summarized.ok) throw summarized.error;
const brief = handoff(summarized.record, { to: 'a reader' });
const handedOn = await generateText({
  model,
  messages: [brief, { role: 'user', content: 'And now?' }],
});

const problems = [
  text === 'Yes.' || `the answer is ${text}`,
  calls === 2 || `${calls} calls`,
  handedOn.text === 'Yes.' || `the answer to a handoff is ${handedOn.text}`,
  events.some(({ type }) => type === 'applied') || 'no summary was applied',
  events.every(({ type }) => type !== 'failed') || JSON.stringify(events),
  (tokens > 0 && total > 0) || 'nothing was counted',
  summarized.ok || 'there is no summary',
  storeChecks(() => memoryStore()).length > 0 || 'there are no checks',
  middleTruncate('one two three', 2).text !== '' || 'no text',
].filter((problem) => problem !== true);
if (problems.length > 0) throw new Error(problems.join('; '));
