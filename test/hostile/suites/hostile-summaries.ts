import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { emptyContent } from '../../support/empty-content.ts';
import { textResult } from '../../support/models.ts';
import { hostileTexts } from './hostile-texts.ts';

/** A way in which a summarising model may misbehave. */
export interface HostileSummary {
  readonly name: string;
  /** A model that does so with every call; for `summarizerModelPreference`. */
  readonly model: LanguageModelV4;
}

type Result = LanguageModelV4GenerateResult;
type Behaviour = () => Result | Promise<Result>;

const lists = ['participants', 'decisions', 'unresolved', 'domainEntities', 'constraints'] as const;
const empty = emptyContent('They spoke of many things.');
const noContext = empty.context;
const honest = { ...empty, resolved: [], superseded: [], ended: [] };

/** Where a model can write a text. */
const places: Readonly<Record<string, (text: string) => unknown>> = {
  summary: (text) => ({ ...honest, summary: text }),
  keyPoints: (text) => ({ ...honest, keyPoints: [text] }),
  ...Object.fromEntries(
    lists.map((list) => [
      list,
      (text: string) => ({ ...honest, context: { ...noContext, [list]: [text] } }),
    ]),
  ),
  actionItems: (text) => ({
    ...honest,
    context: { ...noContext, actionItems: [{ owner: text, task: text, due: text }] },
  }),
  ended: (text) => ({
    ...honest,
    ended: [{ rule: text, by: text }],
    superseded: [text],
    resolved: [text],
  }),
};

/** What stands where something else is asked for. */
const wrong: Readonly<Record<string, unknown>> = {
  null: null,
  'a number': 7,
  'a string': 'text',
  'a boolean': true,
  'an empty list': [],
  'a list of lists': [[['deep']]],
  'an empty object': {},
  'ten thousand items': Array(10_000).fill('item'),
};

/** Answers that are not what was asked for as a whole. */
const answers: Readonly<Record<string, string>> = {
  nothing: '',
  blanks: ' \n\t ',
  prose: 'Certainly! Here is a summary of the conversation: they talked.',
  'a refusal': 'I am sorry, but I cannot help with that.',
  'the beginning of the JSON': JSON.stringify(honest).slice(0, 40),
  'JSON in a fence': `\`\`\`json\n${JSON.stringify(honest)}\n\`\`\``,
  'JSON behind an analysis': `<analysis>secret</analysis>${JSON.stringify(honest)}`,
  'two objects': JSON.stringify(honest).repeat(2),
  'JSON with comments': `// yes\n${JSON.stringify(honest)}`,
  'single quotes': JSON.stringify(honest).replaceAll('"', "'"),
  'unknown keys': JSON.stringify({ ...honest, depth: 9, id: 'x', originalMessageIds: ['x'] }),
  'keys of prototypes': `{"__proto__":{"polluted":true},${JSON.stringify(honest).slice(1)}`,
  'the schema': '{"type":"object","properties":{"summary":{"type":"string"}}}',
  'ten thousand brackets': '['.repeat(10_000),
  'a megabyte of narrative': JSON.stringify({ ...honest, summary: 'word '.repeat(200_000) }),
  'the same words again and again': JSON.stringify({ ...honest, summary: 'yes '.repeat(2000) }),
  'a blank narrative': JSON.stringify({ ...honest, summary: ' \u200b\n' }),
  ...Object.fromEntries(
    Object.entries(wrong).flatMap(([what, value]) => [
      [`${what} as a whole`, JSON.stringify(value)],
      ...Object.keys(honest).map((key) => [
        `${what} as ${key}`,
        JSON.stringify({ ...honest, [key]: value }),
      ]),
    ]),
  ),
};

const reasons = ['length', 'content-filter', 'tool-calls', 'error', 'other'] as const;

/** What a call may throw. */
const failures: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('CANARY: the key sk-secret is wrong.'),
  'a text': () => 'CANARY',
  undefined: () => undefined,
  'an error that quotes a limit': () =>
    new Error('CANARY: maximum context length is 16 tokens, your messages resulted in 99 tokens.'),
  'an error that throws when it is read': () =>
    Object.defineProperty(new Error('x'), 'message', {
      get: () => {
        throw new Error('CANARY');
      },
    }),
  'a frozen object': () => Object.freeze({ name: 'AbortError', message: 'CANARY' }),
};

function result(text: string, unified: LanguageModelV4FinishReason['unified'] = 'stop'): Result {
  return resultOf([{ type: 'text', text }], unified);
}

function resultOf(
  content: LanguageModelV4Content[],
  unified: LanguageModelV4FinishReason['unified'] = 'stop',
): Result {
  return { ...textResult(''), content, finishReason: { unified, raw: unified } };
}

/** One of the texts for each place, another one for the next. */
function behaviours(): readonly (readonly [name: string, behaviour: Behaviour])[] {
  const written = Object.entries(places).flatMap(([place, write], offset) =>
    hostileTexts
      .filter((_, index) => index % 5 === offset % 5)
      .map((text, index): [string, Behaviour] => [
        `writes hostile text ${index} as ${place}`,
        () => result(JSON.stringify(write(text))),
      ]),
  );
  const answered = Object.entries(answers).map(([name, text]): [string, Behaviour] => [
    `answers ${name}`,
    () => result(text),
  ]);
  const stopped = reasons.map((reason): [string, Behaviour] => [
    `stops because of ${reason}`,
    () => result(JSON.stringify(honest), reason),
  ]);
  const thrown = Object.entries(failures).map(([name, failure]): [string, Behaviour] => [
    `throws ${name}`,
    () => {
      throw failure();
    },
  ]);
  return [
    ...written,
    ...answered,
    ...stopped,
    ...thrown,
    ['answers without a part', () => resultOf([])],
    ['only reasons', () => resultOf([{ type: 'reasoning', text: JSON.stringify(honest) }])],
    ['calls a tool', () => resultOf([{ ...toolCall }], 'tool-calls')],
    ['hangs', async () => new Promise(() => {})],
  ];
}

const toolCall = {
  type: 'tool-call',
  toolCallId: 'call_1',
  toolName: 'execute_bash',
  input: '{"command":"rm -rf /"}',
} as const;

/** Summarising models of which each misbehaves in one way, with every call. */
export function hostileSummaries(): readonly HostileSummary[] {
  return behaviours().map(([name, behaviour]) => ({
    name,
    model: {
      specificationVersion: 'v4',
      provider: 'hostile',
      modelId: name,
      supportedUrls: {},
      doGenerate: async () => behaviour(),
      doStream: async () => Promise.reject(new Error('Summaries are not streamed.')),
    },
  }));
}
