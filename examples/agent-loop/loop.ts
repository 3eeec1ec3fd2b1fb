import type { LanguageModelV4 } from '@ai-sdk/provider';
import {
  isStepCount,
  streamText,
  wrapLanguageModel,
  type ModelMessage,
  type LanguageModelMiddleware,
} from 'ai';
import {
  instructions,
  isRight,
  quizAbout,
  requestsAbout,
  type QuizQuestion,
} from './conversation.ts';
import { createMeter, type Reading } from './meter.ts';
import type { RecallDemo } from './recall.ts';
import { workspaceTools } from './tools.ts';

/**
 * The part of the middleware's options that makes this demo: a context small enough to overflow often, and large enough
 * for the model to read at once what it summarizes. In pieces, a model this simple would lose half of it.
 */
export const demoOptions: {
  readonly contextLength: number;
  readonly maxSummaryChainDepth: number;
} = { contextLength: 14_000, maxSummaryChainDepth: 2 };

const fromMemory = 'Answer from memory, without tools.';

/** Observer of the loop. */
export interface Observer {
  readonly onRequest: (request: string) => void;
  /** After each call of the agent, with the tool it called or `answer`. */
  readonly onCall: (action: string, reading: Readonly<Reading>) => void;
  readonly onAnswer: (answer: string) => void;
  readonly onQuizAnswer: (quiz: QuizQuestion, answer: string, right: boolean) => void;
}

/** Result of the loop. */
export interface LoopResult {
  readonly reading: Readonly<Reading>;
  readonly rightAnswers: number;
  readonly quizLength: number;
  /** The whole conversation, as an application would store it. */
  readonly messages: readonly ModelMessage[];
}

/**
 * Runs the conversation of the demo: an agent that works through the user's requests with tools over the
 * repository at `root`, then the quiz. The application always sends its full history.
 *
 * @param middleware - The middleware under test, made by `summarizationMiddleware`.
 */
export async function runAgentLoop({
  model,
  middleware,
  root,
  observer,
  recall,
}: {
  readonly model: LanguageModelV4;
  readonly middleware: LanguageModelMiddleware;
  readonly root: string;
  readonly observer: Observer;
  /** Gives the agent the recall tool, and asks what only the archive holds. */
  readonly recall?: RecallDemo | undefined;
}): Promise<LoopResult> {
  const meter = createMeter();
  const wrapped = wrapLanguageModel({
    model,
    middleware: [meter.before, middleware, meter.after],
  });
  const tools = { ...workspaceTools(root, recall?.files), ...recall?.tools };
  const summarization = recall === undefined ? {} : { conversationId: recall.conversationId };
  const messages: ModelMessage[] = [];

  const ask = async (request: string): Promise<string> => {
    messages.push({ role: 'user', content: request });
    let failure: unknown;
    const result = streamText({
      model: wrapped,
      instructions,
      messages,
      tools,
      stopWhen: isStepCount(20),
      providerOptions: { openai: { parallelToolCalls: false }, summarization },
      onError: ({ error }) => {
        failure = error;
      },
      onStepEnd: ({ toolCalls }) => {
        const [call] = toolCalls;
        observer.onCall(
          call ? `${call.toolName} ${Object.values(Object(call.input)).join(' in ')}` : 'answer',
          meter.reading,
        );
      },
    });
    await result.consumeStream();
    if (failure !== undefined) throw failure;
    messages.push(...(await result.responseMessages));
    return await result.text;
  };

  const requests = requestsAbout(root);
  for (const request of recall === undefined ? requests : [recall.request, ...requests]) {
    observer.onRequest(request);
    observer.onAnswer(await ask(request));
  }

  const quiz = [...quizAbout(root), ...(recall === undefined ? [] : [recall.quiz])];
  let rightAnswers = 0;
  observer.onRequest('Quiz: facts of the first request, from memory.');
  for (const entry of quiz) {
    const answer = await ask(`${entry.lead ?? fromMemory} ${entry.question}`);
    const right = isRight(answer, entry.expected);
    if (right) rightAnswers += 1;
    observer.onQuizAnswer(entry, answer, right);
  }
  return { reading: meter.reading, rightAnswers, quizLength: quiz.length, messages };
}
