import type { Message, WrappedModel } from '../prompt/prompt-types.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { SummaryInput } from '../strategies/summary-strategy.ts';
import { hostileTexts } from './hostile-texts.ts';

/** A rule of the user that the record before holds. */
export const earlierRule = 'Never delete the staging database.';

function user(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function assistant(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

/** A conversation about a subject that is named in each of its messages. */
export function talkAbout(subject: string, turns = 8): readonly Message[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`Question ${turn} about ${subject}: what became of the order of batch ${turn + 40}?`),
    assistant(`The ${subject} of batch ${turn + 40} was sent on Monday and is still on its way.`),
  ]).flat();
}

const toolCallId = 'call-1';

/** Messages of every role with parts of every kind. */
export const everyShape: readonly Message[] = [
  ...talkAbout('pumps', 2),
  {
    role: 'user',
    content: [
      { type: 'text', text: '' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'The user wants the file.' },
      { type: 'tool-call', toolCallId, toolName: 'read_file', input: { path: 'src/pumps.ts' } },
      { type: 'tool-call', toolCallId: 'call-2', toolName: 'list', input: null },
      { type: 'tool-call', toolCallId: 'call-3', toolName: 'fetch', input: 'not an object' },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId,
        toolName: 'read_file',
        output: { type: 'text', value: 'export const pumps = 12;\n'.repeat(40) },
      },
      {
        type: 'tool-result',
        toolCallId: 'call-2',
        toolName: 'list',
        output: { type: 'json', value: [{ id: 1 }, null, ['deep', { x: [] }]] },
      },
      {
        type: 'tool-result',
        toolCallId: 'call-3',
        toolName: 'fetch',
        output: { type: 'error-text', value: 'connection refused' },
      },
    ],
  },
  { role: 'assistant', content: [] },
  ...talkAbout('valves', 2),
];

/** A conversation in which the user says what a strategy may trip over. */
export const hostileTalk: readonly Message[] = [
  ...talkAbout('pumps', 2),
  ...hostileTexts.flatMap((text) => [user(text), assistant(`You said: ${text}`)]),
];

/** A record that a strategy is to continue. */
export const earlierRecord: SummaryRecord = {
  version: 2,
  id: '0123456789abcdef',
  timestamp: 1_700_000_000_000,
  depth: 0,
  summary: 'The user asked for pumps, and the assistant ordered twelve of them.',
  keyPoints: ['Twelve pumps were ordered.'],
  context: {
    participants: ['user'],
    decisions: ['To order twelve pumps.'],
    actionItems: [],
    unresolved: [],
    domainEntities: ['src/pumps.ts'],
    constraints: [earlierRule],
  },
  origins: {
    keyPoints: [{ role: 'assistant', message: 1 }],
    participants: [{ role: 'model' }],
    decisions: [{ role: 'user', message: 0 }],
    actionItems: [],
    unresolved: [],
    domainEntities: [{ role: 'assistant', message: 1 }],
    constraints: [{ role: 'user', message: 0 }],
    replacedConstraints: [],
    userWords: [],
  },
  coveredMessages: 2,
  prefixDigest: 'c',
  strategy: 'checks',
  degraded: false,
  metrics: { inputTokens: 900, outputTokens: 90, compressionRatio: 0.1, level: 'STANDARD' },
};

/** The model of conversations whose strategy has models of its own. */
export const noModel: WrappedModel = {
  specificationVersion: 'v4',
  provider: 'strategy-checks',
  modelId: 'none',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('strategyChecks was given no model.')),
  doStream: () => Promise.reject(new Error('strategyChecks was given no model.')),
};

/** What a strategy is given for some messages. */
export function inputFor(
  messages: readonly Message[],
  more: Partial<SummaryInput> & Pick<SummaryInput, 'model'>,
): SummaryInput {
  return { messages, usePreviousNarrative: true, maxSummaryTokens: 2000, ...more };
}
