import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Fact, Field } from './fact.ts';

/** One item of a record as a summariser writes it. */
export interface Claim {
  /** A list, or the narrative. */
  readonly field: Field | 'summary';
  readonly text: string;
  /** Words of the message that it is said to come from. */
  readonly citing: string;
  readonly fact?: Fact | undefined;
}

/** A message as the summariser reads it. */
export interface ReadMessage {
  readonly i: number;
  readonly role: string;
  /** Its texts, and the inputs of its calls. */
  readonly text: string;
}

/** What a summariser writes of what it reads. */
export type Writer = (messages: readonly ReadMessage[]) => readonly Claim[];

/** A model that reads the transcript it is sent and writes a record of claims. */
export function fakeSummariser(write: Writer): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'openai',
    modelId: 'gpt-5-nano',
    supportedUrls: {},
    doGenerate: async (options) => {
      const messages = readTranscript(options);
      return {
        content: [{ type: 'text', text: JSON.stringify(answerOf(write(messages), messages)) }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: {
          inputTokens: { total: 1000, noCache: 1000, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 100, text: 100, reasoning: 0 },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error('Streaming is not supported here.')),
  };
}

function readTranscript({ prompt }: LanguageModelV4CallOptions): readonly ReadMessage[] {
  const lines = prompt.flatMap(({ role, content }) =>
    role === 'user'
      ? content.flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []))
      : [],
  );
  const transcript = lines.find((line) => line.startsWith('[{"i":'));
  if (transcript === undefined) throw new Error('The summariser was sent no transcript.');
  const entries: readonly TranscriptEntry[] = JSON.parse(transcript);
  return entries.map(({ i, role, text = '', calls = [] }) => ({
    i,
    role,
    text: [text, ...calls.map(({ input }) => input)].join('\n'),
  }));
}

interface TranscriptEntry {
  readonly i: number;
  readonly role: string;
  readonly text?: string;
  readonly calls?: readonly { readonly input: string }[];
}

function answerOf(claims: readonly Claim[], messages: readonly ReadMessage[]): object {
  const texts = (field: Claim['field']): readonly string[] =>
    claims.filter((claim) => claim.field === field).map(({ text }) => text);
  const cited = (field: Claim['field']): readonly object[] =>
    claims
      .filter((claim) => claim.field === field)
      .map(({ text, citing }) => ({ text, message: positionOf(citing, messages) }));
  return {
    summary: ['…', ...texts('summary')].join(' '),
    keyPoints: cited('keyPoints'),
    context: {
      participants: [],
      decisions: cited('decisions'),
      actionItems: claims
        .filter(({ field }) => field === 'actionItems')
        .map(({ text, citing }) => ({
          owner: null,
          task: text,
          due: null,
          message: positionOf(citing, messages),
        })),
      unresolved: cited('unresolved'),
      domainEntities: texts('domainEntities'),
      constraints: cited('constraints'),
    },
    ended: [],
    resolved: [],
    superseded: [],
  };
}

function positionOf(citing: string, messages: readonly ReadMessage[]): number | null {
  return messages.find(({ text }) => text.includes(citing))?.i ?? null;
}
