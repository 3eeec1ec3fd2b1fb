import type {
  APICallError,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import type {
  ItemOrigins,
  Message,
  SummaryContent,
  SummaryInput,
  SummaryRecord,
} from '../../../src/index.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { apiError, billedResult } from '../../support/models.ts';
import { assistant, call, result, user } from '../../support/prompt-messages.ts';
import type { AssistantMessage, ToolMessage } from '../../support/prompt-types.ts';

export function toolCall(name: string, input: unknown): AssistantMessage {
  return assistant('', call('call-1', { toolName: name, input }));
}

export function toolResult(
  name: string,
  value: string,
  type: 'text' | 'error-text' = 'text',
): ToolMessage {
  const output = { type, value };
  return { role: 'tool', content: [{ ...result('call-1'), toolName: name, output }] };
}

/** A conversation long enough that any short summary is smaller. */
export const conversation: readonly Message[] = [
  user(
    'Please migrate the billing service to Postgres 16. Never touch the audit tables. '.repeat(8),
  ),
  assistant('I moved the schema and the connection pool; the nightly job still fails. '.repeat(8)),
  user('The nightly job needs the new role billing_rw. '.repeat(8)),
];

/** Messages of about 80 tokens, each with an identifier of its own. */
export function ticketTalk(length: number): readonly Message[] {
  const filler = 'The build of the service was looked at again, and nothing new came up. '.repeat(
    4,
  );
  return Array.from({ length }, (_, index) => {
    const text = `Look at TICKET-${index}X next. ${filler}`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

const emptyContext: SummaryContent['context'] = emptyContent('').context;

export function content(
  given: Partial<Omit<SummaryContent, 'context'>> & {
    readonly context?: Partial<SummaryContent['context']> | undefined;
  } = {},
): SummaryContent {
  return {
    summary: given.summary ?? 'The user asked for a migration.',
    keyPoints: given.keyPoints ?? [],
    context: { ...emptyContext, ...given.context },
  };
}

/** What a model is asked to write. */
export interface SummaryAnswer {
  readonly summary: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

type Said = string | { readonly text: string; readonly message?: number | undefined };

/** An answer in which statements may be texts that cite nothing. */
export function answer(
  given: {
    readonly summary?: string;
    readonly keyPoints?: readonly Said[];
    readonly context?: Readonly<Record<string, readonly (Said | object)[]>>;
  } = {},
): SummaryAnswer {
  const cited = (said: readonly (Said | object)[] = []): readonly object[] =>
    said.map((each) => (typeof each === 'string' ? { text: each } : each));
  const { context = {} } = given;
  return {
    summary: 'The user asked for a migration.',
    ended: [],
    ...given,
    keyPoints: cited(given.keyPoints),
    context: {
      ...emptyContext,
      ...context,
      decisions: cited(context['decisions']),
      unresolved: cited(context['unresolved']),
      constraints: cited(context['constraints']),
    },
  };
}

/** Where the items of a content come from: what does not say it is the model's. */
function originsOf({ keyPoints, context, origins = {} }: SummaryContent): ItemOrigins {
  const { unshownConstraints: _places, raw: _raw, ...others } = context;
  const lists = { endedConstraints: [], userQuotes: [], ...others, keyPoints };
  const given = new Map(Object.entries(origins));
  return Object.fromEntries(
    Object.entries<readonly unknown[] | undefined>(lists).map(([field, items = []]): unknown[] => [
      field,
      items.map((_item, index) => given.get(field)?.[index] ?? { role: 'model' }),
    ]),
  );
}

export function record(given: SummaryContent): SummaryRecord {
  return {
    version: 3,
    id: 'record-1',
    timestamp: 0,
    depth: 0,
    ...given,
    origins: originsOf(given),
    coveredMessages: 1,
    prefixDigest: 'digest',
    strategy: 'llm',
    degraded: false,
    metrics: { inputTokens: 1000, outputTokens: 100, compressionRatio: 0.1, level: 'STANDARD' },
  };
}

/** What a model returns; 100 tokens read and 10 written. */
export function modelResult(
  text: string,
  unified: LanguageModelV4GenerateResult['finishReason']['unified'] = 'stop',
): LanguageModelV4GenerateResult {
  return { ...billedResult(text, 100, 10), finishReason: { unified, raw: undefined } };
}

export type Reply = LanguageModelV4GenerateResult | Error | SummaryAnswer;

/** A model that gives one reply after the other, the last one for ever; an `Error` is thrown. */
export function summarizer(
  replies: readonly Reply[] | ((call: number, options: LanguageModelV4CallOptions) => Reply),
  modelId = 'summarizer',
): MockLanguageModelV4 {
  let calls = 0;
  return new MockLanguageModelV4({
    provider: 'mock',
    modelId,
    doGenerate: (options) => {
      const reply =
        typeof replies === 'function'
          ? replies(calls, options)
          : (replies[Math.min(calls, replies.length - 1)] ?? answer());
      calls += 1;
      if (reply instanceof Error) return Promise.reject(reply);
      return Promise.resolve('summary' in reply ? modelResult(JSON.stringify(reply)) : reply);
    },
  });
}

export function httpError(statusCode: number, headers: Record<string, string> = {}): APICallError {
  return apiError(`SECRET provider text for ${statusCode}`, statusCode, headers);
}

export function summaryInput(
  model: SummaryInput['model'],
  given: Partial<SummaryInput> = {},
): SummaryInput {
  return {
    messages: conversation,
    usePreviousNarrative: true,
    model,
    maxSummaryTokens: 2000,
    ...given,
  };
}

/** The text of the one user message that reached the model. */
export function promptText(options: LanguageModelV4CallOptions | undefined): string {
  const message = options?.prompt.at(-1);
  if (message?.role !== 'user') return '';
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
