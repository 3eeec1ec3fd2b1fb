import type { JsonRecord } from '../json-view.ts';
import type { MutationSet } from '../mutations.ts';

const text = (content: string): JsonRecord => ({ text: content });
const use = (toolUseId: string, input: unknown = {}): JsonRecord => ({
  toolUse: { toolUseId, name: 'read_file', input },
});
const outcome = (toolUseId: string): JsonRecord => ({
  toolResult: { toolUseId, content: [text('A line.')] },
});
const failure = { toolResult: { toolUseId: 't1', status: 'error', content: [] } };
const thought = { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'other' } } };
const point = { cachePoint: { type: 'default' } };
const user = (...content: readonly JsonRecord[]): JsonRecord => ({ role: 'user', content });
const assistant = (...content: readonly JsonRecord[]): JsonRecord => ({
  role: 'assistant',
  content,
});
const ask = user(text('Look at the parser.'));
const say = assistant(text('It is in order.'));
const toolConfig = { tools: [{ toolSpec: { name: 'read_file' } }] };
const body = (...messages: readonly JsonRecord[]): JsonRecord => ({
  system: [text('Be careful.')],
  messages,
  toolConfig,
});

/** Breaks of Bedrock Converse's rules. */
export const bedrockMutations: MutationSet = {
  legal: body(ask, assistant(text('Looking.'), use('t1')), user(outcome('t1'), text('And?'))),
  illegal: [
    ['BE1', 'an assistant message first', body(say, ask)],
    ['C2', 'two user messages in a row', body(ask, ask)],
    [
      'BE2',
      'tool blocks without tools',
      { ...body(ask, assistant(use('t1')), user(outcome('t1'))), toolConfig: {} },
    ],
    ['BE3', 'a result without its call', body(ask, say, user(outcome('t1')))],
    ['BE3', 'a call without its result', body(ask, assistant(use('t1')), ask)],
    ['BE4', 'a blank text', body(user(text('')))],
    ['BE6', 'changed reasoning', body(ask, assistant(thought, text('So.')), ask)],
    ['BE7', 'a cache point first', body(user(point, text('Look.')))],
    ['BE9', 'an error without content', body(ask, assistant(use('t1')), user(failure))],
    [
      'C10',
      'an input that is no object',
      body(ask, assistant(use('t1', '{}')), user(outcome('t1'))),
    ],
  ],
};

/** What only some models on Bedrock reject. */
export const strictBedrockMutations: MutationSet = {
  legal: body(ask, assistant(use('t1')), user(outcome('t1'))),
  illegal: [
    [
      'BE8',
      'a text beside a result',
      body(ask, assistant(use('t1')), user(outcome('t1'), text('And?'))),
    ],
  ],
};
