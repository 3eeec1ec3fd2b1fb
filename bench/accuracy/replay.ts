import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import type { SummarizationEvent, SummarizationOptions } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import type { Family } from './families.ts';
import type { Session } from './load-sessions.ts';
import type { ReportedTokens } from './reported-tokens.ts';

const { ContextOverflowError, memoryStore, summarizationMiddleware } = builtRoot;

type Check = Extract<SummarizationEvent, { type: 'check' }>;

/** One call: what the middleware said of its size, and what the provider then reported. */
export interface ObservedCall {
  readonly check: Check;
  /** Input tokens that the provider reported for what was sent. */
  readonly reported: number;
  /** What it would have reported for the prompt without a summary in it. */
  readonly unabridged: number;
}

/** What came of the calls of a session. */
export interface Replay {
  readonly calls: readonly ObservedCall[];
  /** Calls that the middleware did not send, since no legal prompt would have fitted. */
  readonly refused: number;
}

/** Who answers and counts. */
export interface Provider {
  readonly family: Family;
  readonly tokens: ReportedTokens;
  /** Tokens of reasoning that each answer is billed for and the next prompt does not hold. */
  readonly reasoningTokens: number;
}

/**
 * Sends prompts of a session, all by default, through a middleware that knows nothing yet; the model
 * answers what was really answered.
 */
export async function replay(
  { messages, calls: ends, tools }: Session,
  { family, tokens, reasoningTokens }: Provider,
  options: SummarizationOptions,
  sent: readonly number[] = ends,
): Promise<Replay> {
  const calls: ObservedCall[] = [];
  let refused = 0;
  let check: Check | undefined;
  let fault: Error | undefined;
  let reported = 0;
  let answer: LanguageModelV4Message | undefined;
  const inner: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: family.provider,
    modelId: family.modelId,
    supportedUrls: {},
    doGenerate: async (call) => {
      reported = tokens.input(call);
      const output = answer === undefined ? 0 : tokens.output(answer);
      return {
        content: answer === undefined ? [] : contentOf(answer),
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: reported, noCache: reported, cacheRead: 0, cacheWrite: 0 },
          outputTokens: {
            total: output + reasoningTokens,
            text: output,
            reasoning: reasoningTokens,
          },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error('Nothing is streamed here.')),
  };
  const middleware = summarizationMiddleware({
    // Its own store: nothing is known from other sessions.
    store: memoryStore(),
    ...options,
    onEvent: (event) => {
      if (event.type === 'check') check = event;
      // A summary that is not smaller is refused, as it should be.
      if (event.type === 'failed' && event.stage !== 'summarize')
        fault = new Error(event.reason, { cause: event.error });
    },
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  for (const end of sent) {
    answer = messages[end];
    check = undefined;
    const call = { prompt: messages.slice(0, end), tools: [...tools] };
    try {
      await model.doGenerate(call);
    } catch (error) {
      if (!ContextOverflowError.isInstance(error)) throw error;
      refused += 1;
      continue;
    }
    if (fault !== undefined) throw fault;
    if (check !== undefined) calls.push({ check, reported, unabridged: tokens.input(call) });
  }
  return { calls, refused };
}

function contentOf({ content }: LanguageModelV4Message): LanguageModelV4Content[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((part): LanguageModelV4Content[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'tool-call') return [];
    const { toolCallId, toolName } = part;
    return [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(part.input) }];
  });
}
