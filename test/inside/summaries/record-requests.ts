import { identifyConversation } from '../../../src/identity/conversation-identity.ts';
import type {
  Message,
  SummaryContent,
  SummaryRecord,
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from '../../../src/index.ts';
import { contentOf, itemsOf } from '../../../src/record/content-items.ts';
import { emptyContent } from '../../support/empty-content.ts';
import type { EventBody } from '../../../src/report/events.ts';
import type { CallReporter } from '../../../src/report/reporter.ts';
import type { TokenMeasure } from '../../../src/sizing/token-measure.ts';
import type { RecordWriters } from '../../../src/summaries/write-record.ts';
import type { RecordRequest } from '../../../src/summaries/write-record.ts';
import { chatModel } from '../../support/models.ts';
import { assistant, user } from '../../support/prompt-messages.ts';

/** Ten messages of ten tokens each. */
export const conversation: readonly Message[] = Array.from({ length: 10 }, (_, index) =>
  index % 2 === 0 ? user(`q${index}`) : assistant(`a${index}`),
);

/** The store key of the tests; a record's id is 16 digits of it. */
export const key: string = '0123456789abcdef'.repeat(4);

/** Ten tokens for a message, for a summary one for each word. */
export const measure: Pick<
  TokenMeasure,
  'count' | 'message' | 'messages' | 'multiplier' | 'prompt'
> = {
  multiplier: 1.5,
  count: async () => {},
  message: ({ content }) => (typeof content === 'string' ? content.split(/\s+/).length : 10),
  messages: (messages) => 10 * messages.length,
  prompt: (messages) => 10 * messages.length,
};

/** A strategy, and what it was given. */
export interface ScriptedStrategy extends SummaryStrategy {
  readonly inputs: SummaryInput[];
}

/** Writes what it is told to, and costs 7 and 3 tokens. */
export function writing(
  name: string,
  content: SummaryContent | string = `By ${name}.`,
  more: Partial<SummaryOutput> = {},
): ScriptedStrategy {
  return scripted(name, async () => ({
    content: typeof content === 'string' ? emptyContent(content) : content,
    usage: { inputTokens: 7, outputTokens: 3 },
    ...more,
  }));
}

/** Does what it is told to. */
export function scripted(
  name: string,
  summarize: (input: SummaryInput) => Promise<SummaryOutput>,
): ScriptedStrategy {
  const inputs: SummaryInput[] = [];
  return {
    name,
    inputs,
    summarize: (input) => {
      inputs.push(input);
      return summarize(input);
    },
  };
}

/** Fails in its own words. */
export function failing(name: string, error: unknown = new Error('down')): ScriptedStrategy {
  return scripted(name, () => Promise.reject(error));
}

export function writers(
  strategy: SummaryStrategy | undefined,
  fallbackStrategy?: SummaryStrategy,
  options: RecordWriters['options'] = {},
): RecordWriters {
  return { strategy, fallbackStrategy, options, model: chatModel() };
}

/** A request for the summary of the first four messages, and the events of it. */
export function request(given: Partial<RecordRequest>): {
  readonly request: RecordRequest;
  readonly events: EventBody[];
} {
  const { emit, events } = eventLog();
  return {
    events,
    request: {
      writers: writers(writing('main')),
      identity: identifyConversation(conversation),
      key,
      count: 4,
      previous: undefined,
      messages: conversation.slice(0, 4),
      policy: {
        maxSummaryTokens: 500,
        maxSummaryChainDepth: 3,
        contextLength: 1000,
        contextLengthKnown: true,
      },
      measure,
      reason: 'token-ratio',
      emit,
      ...given,
    },
  };
}

export function eventLog(): {
  readonly emit: CallReporter['emit'];
  readonly events: EventBody[];
} {
  const events: EventBody[] = [];
  return { events, emit: (event) => void events.push(event) };
}

/** A record of the first two messages. */
export async function recordBefore(more: Partial<SummaryRecord> = {}): Promise<SummaryRecord> {
  const identity = identifyConversation(conversation);
  return {
    ...contentOf({ summary: 'Before.' }, itemsOf(emptyContent(''))),
    version: 2,
    id: 'before',
    timestamp: 0,
    depth: 0,
    coveredMessages: 2,
    prefixDigest: await identity.prefixDigest(2),
    strategy: 'main',
    degraded: false,
    metrics: { inputTokens: 20, outputTokens: 8, compressionRatio: 0.4, level: 'NONE' },
    ...more,
  };
}
