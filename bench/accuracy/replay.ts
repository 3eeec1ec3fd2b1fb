import type { LanguageModelV4Content, LanguageModelV4Message } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import type { SummarizationEvent, SummarizationOptions } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import { modelThat } from '../model-that.ts';
import type { Family } from './families.ts';
import type { Session } from './load-sessions.ts';
import type { ReportedTokens } from './reported-tokens.ts';

const { ContextOverflowError, memoryStore, summarizationMiddleware } = builtRoot;

type Check = Extract<SummarizationEvent, { type: 'check' }>;

/** One call: what the middleware said of its size, and what the provider then reported. */
export interface ObservedCall {
  readonly check: Check;
  /** Input tokens that the provider reported for it. */
  readonly reported: number;
}

/** Who answers and counts. */
export interface Provider {
  readonly family: Family;
  readonly tokens: ReportedTokens;
}

/**
 * Sends prompts of a session, all by default, through a middleware that knows nothing yet and changes nothing; the
 * model answers what was really answered.
 */
export async function replay(
  { messages, calls: ends, tools }: Session,
  { family, tokens }: Provider,
  options: SummarizationOptions,
  sent: readonly number[] = ends,
): Promise<readonly ObservedCall[]> {
  const calls: ObservedCall[] = [];
  let check: Check | undefined;
  let reported = 0;
  let answer: LanguageModelV4Message | undefined;
  const inner = modelThat(family, async (call) => {
    reported = tokens.input(call);
    const output = answer === undefined ? 0 : tokens.output(answer);
    return {
      content: answer === undefined ? [] : contentOf(answer),
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: reported, noCache: reported, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
      warnings: [],
    };
  });
  const middleware = summarizationMiddleware({
    // Its own store: nothing is known from other sessions.
    store: memoryStore(),
    strategy: 'none',
    fallbackStrategy: false,
    ...options,
    onEvent: (event) => {
      if (event.type === 'check') check = event;
    },
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  for (const end of sent) {
    answer = messages[end];
    check = undefined;
    try {
      await model.doGenerate({ prompt: messages.slice(0, end), tools: [...tools] });
    } catch (error) {
      // It is not sent where the estimate is so high that it would not fit.
      if (!ContextOverflowError.isInstance(error)) throw error;
      continue;
    }
    if (check !== undefined) calls.push({ check, reported });
  }
  return calls;
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
