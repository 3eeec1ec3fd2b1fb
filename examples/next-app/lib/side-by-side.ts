import { generateText, isStepCount, wrapLanguageModel, type ModelMessage } from 'ai';
import { countPromptTokens, memoryStore, summarizationMiddleware } from 'ai-sdk-summarization';
import { chatPersona } from '../embedded-model/chat-persona.ts';
import { embeddedModel } from '../embedded-model/embedded-model.ts';
import { defaultSettings } from './chat-settings.ts';
import { commonTools } from './tools.ts';

/** How one side answered a message. */
export interface SideAnswer {
  readonly text: string;
  readonly tokens: number;
  /** Whether the provider refused the prompt, and `text` is what it said. */
  readonly isRefused: boolean;
  /** Messages that a summary stands for from here on, where one was made. */
  readonly summarized?: number;
}

/** One message, and what became of it with and without the middleware. */
export interface SideBySideTurn {
  readonly question: string;
  readonly without: SideAnswer;
  readonly with: SideAnswer;
}

/** The same conversation with and without the middleware, and its figures. */
export interface SideBySide {
  readonly contextLength: number;
  readonly turns: readonly SideBySideTurn[];
  /** Tokens of the whole conversation at its end. */
  readonly conversationTokens: number;
  /** Share of the tokens that whole histories would have come to and were not sent, after what summaries cost. */
  readonly savedShare: number;
}

const { contextLength } = defaultSettings;
const instructions = 'You are a helpful partner for planning. Answer briefly.';

const script = [
  'I plan a support chat for a bicycle shop. Our budget is 12,000 euros.',
  'Never send the address of a customer to a model.',
  'What does the README say about `namespace`?',
  'We decided to build the website with Next.js.',
  'What does the README say about `contextLength`?',
  'Our warehouse is in Ghent, and its manager is called Pieter.',
  'What does the README say about `redact`?',
  'What does the README say about `triggerTokenRatio`?',
  'What does the README say about `strategy`?',
  'What does the README say about `optimizeFor`?',
  'The launch is on 14 March.',
  'What does the README say about `store`?',
  'What does the README say about `maxWaitMs`?',
  'What does the README say about `onEvent`?',
  'What does the README say about `archive`?',
  'What does the README say about `background`?',
  'What does the README say about `pin`?',
  'Who is the manager of our warehouse?',
  'What must never be sent to a model?',
  'What is our budget?',
];

let run: Promise<SideBySide> | undefined;

/** Holds the conversation both ways, once for a process: the embedded model needs no network and no time. */
export async function sideBySide(): Promise<SideBySide> {
  run ??= holdBoth();
  return await run;
}

async function holdBoth(): Promise<SideBySide> {
  const inner = embeddedModel(contextLength, { persona: chatPersona });
  const without = conversation(inner);
  let summarized: number | undefined;
  let summarizerTokens = 0;
  const middleware = summarizationMiddleware({
    contextLength,
    store: memoryStore(),
    onEvent: (event) => {
      if (event.type !== 'end') return;
      summarized = event.coveredMessages;
      summarizerTokens += event.usage.inputTokens + event.usage.outputTokens;
    },
  });
  const withIt = conversation(wrapLanguageModel({ model: inner, middleware }));
  const turns: SideBySideTurn[] = [];
  for (const question of script) {
    summarized = undefined;
    const answer = await withIt.say(question);
    turns.push({
      question,
      without: await without.say(question),
      with: summarized === undefined ? answer : { ...answer, summarized },
    });
  }
  const paid = withIt.sentTokens() + summarizerTokens;
  return {
    contextLength,
    turns,
    conversationTokens: await withIt.wholeTokens(),
    savedShare: 1 - paid / withIt.fullTokens(),
  };
}

function conversation(model: Parameters<typeof generateText>[0]['model']) {
  let messages: ModelMessage[] = [];
  let [sent, full] = [0, 0];
  const wholeTokens = async (): Promise<number> =>
    (
      await countPromptTokens({
        messages: [{ role: 'system', content: instructions }, ...messages],
        tools: commonTools,
      })
    ).total;
  return {
    sentTokens: () => sent,
    fullTokens: () => full,
    wholeTokens,
    say: async (question: string): Promise<SideAnswer> => {
      messages = [...messages, { role: 'user', content: question }];
      try {
        const { text, steps } = await generateText({
          model,
          instructions,
          messages,
          tools: commonTools,
          stopWhen: isStepCount(3),
          maxRetries: 0,
          onStepEnd: async ({ usage, response }) => {
            sent += usage.inputTokens ?? 0;
            full += await wholeTokens();
            // Results of look-ups stay, as on a page, whatever the provider says next.
            messages = [...messages, ...response.messages];
          },
        });
        return { text, tokens: steps.at(-1)?.usage.inputTokens ?? 0, isRefused: false };
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        const [, tokens] = /resulted in (\d+) tokens/.exec(text) ?? [];
        return { text, tokens: Number(tokens), isRefused: true };
      }
    },
  };
}
