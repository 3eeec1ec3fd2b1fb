import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider';
import { generateText, wrapLanguageModel, type LanguageModel } from 'ai';
import type * as Root from '../../src/index.ts';

/** What of the package is under evaluation. */
export type Library = Pick<
  typeof Root,
  'countPromptTokens' | 'memoryStore' | 'summarizationMiddleware'
>;

/** What a method makes a conversation ready with. */
export interface MethodInput {
  readonly library: Library;
  readonly prompt: readonly LanguageModelV4Message[];
  readonly model: LanguageModelV4;
  readonly contextLength: number;
  readonly maxOutputTokens: number;
}

/** What is asked behind a conversation that was made ready, and of whom. */
export interface Ready {
  readonly prompt: readonly LanguageModelV4Message[];
  readonly model: LanguageModel;
}

/** A way to keep a conversation within a context. */
type Method = (input: MethodInput) => Promise<Ready>;

/** The methods that are compared, by the names under which they are asked for. */
export const methods: Readonly<Record<string, Method>> = {
  full: async ({ prompt, model }) => ({ prompt, model }),
  'drop-oldest': async (input) => {
    const { prompt, model } = input;
    return { prompt: prompt.slice(await newestFrom(input, prompt, roomOf(input))), model };
  },
  rolling: rollingSummary,
  'rule-based': throughMiddleware('rule-based'),
  middleware: throughMiddleware('llm'),
};

/** Tokens that prompts may take: as much as the middleware lets them grow to, so that all have the same. */
function roomOf({ contextLength, maxOutputTokens }: MethodInput): number {
  return (contextLength - maxOutputTokens) * 0.8;
}

/** Where the newest messages begin that take at most some tokens; with one of the user, as providers want it. */
async function newestFrom(
  { library }: MethodInput,
  prompt: readonly LanguageModelV4Message[],
  most: number,
): Promise<number> {
  const { perMessage } = await library.countPromptTokens({ messages: prompt });
  let start = prompt.length;
  let tokens = 0;
  for (let index = prompt.length - 1; index >= 0; index -= 1) {
    tokens += perMessage[index] ?? 0;
    if (tokens > most) break;
    if (prompt[index]?.role === 'user') start = index;
  }
  return start;
}

/**
 * A rolling summary as applications write it themselves: where the prompt outgrows its share, the model puts all
 * but the newest messages in one text, which stands for them from then on.
 */
async function rollingSummary(input: MethodInput): Promise<Ready> {
  const { prompt, model, library, maxOutputTokens } = input;
  let kept: LanguageModelV4Message[] = [];
  for (const message of prompt) {
    kept.push(message);
    const { total } = await library.countPromptTokens({ messages: kept });
    if (message.role !== 'user' || total <= roomOf(input)) continue;
    const cut = await newestFrom(input, kept, roomOf(input) / 2);
    const messages = [...kept.slice(0, cut), userMessage(rollingPrompt)];
    const { text } = await generateText({ model, messages, maxOutputTokens, maxRetries });
    if (text.trim() === '') throw new Error('The model wrote an empty summary.');
    kept = [userMessage(`Summary of our conversation so far:\n\n${text}`), ...kept.slice(cut)];
  }
  return { prompt: kept, model };
}

/** Milliseconds for which summaries are awaited: an answer without one would tell nothing of them. */
const patience = 600_000;

/** The middleware with its defaults: sees the conversation grow, call by call, and then the question. */
function throughMiddleware(strategy: 'llm' | 'rule-based'): Method {
  return async ({ library, prompt, model, contextLength, maxOutputTokens }) => {
    const middleware = library.summarizationMiddleware({
      strategy,
      contextLength,
      store: library.memoryStore(),
      // The same ids in every run of the command, so that its calls are found in the journal.
      secret: 'the same in every evaluation',
      summaryTimeoutMs: patience,
      maxWaitMs: patience,
    });
    for (const [index, { role }] of prompt.entries())
      if (role === 'user') {
        const params = { prompt: prompt.slice(0, index + 1), maxOutputTokens };
        await middleware.transformParams?.({ params, type: 'generate', model });
      }
    return { prompt, model: wrapLanguageModel({ model, middleware }) };
  };
}

/** Times that a call is tried again, after the time that the provider asks for. */
export const maxRetries = 5;

export function userMessage(text: string): LanguageModelV4Message & { role: 'user' } {
  return { role: 'user', content: [{ type: 'text', text }] };
}

const rollingPrompt =
  'Summarize our conversation so far, for yourself: you will see the summary instead of it. Carry on everything that still matters of the summary it may begin with. Keep names, dates, numbers, decisions and wishes exactly. Write the summary and nothing else.';
