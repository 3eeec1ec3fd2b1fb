import type { JsonRecord } from '../json-view.ts';
import type { MutationSet } from '../mutations.ts';
import { proofOf } from '../proof.ts';

const text = (content: string): JsonRecord => ({ type: 'text', text: content });
const use = (id: string, input: unknown = {}): JsonRecord => ({
  type: 'tool_use',
  id,
  name: 'read_file',
  input,
});
const outcome = (id: string): JsonRecord => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'A line.',
});
const thinking = (thought: string, signature = proofOf(thought)): JsonRecord => ({
  type: 'thinking',
  thinking: thought,
  signature,
});
const cached = { ...text('Be careful.'), cache_control: { type: 'ephemeral' } };
const user = (...content: readonly JsonRecord[]): JsonRecord => ({ role: 'user', content });
const assistant = (...content: readonly JsonRecord[]): JsonRecord => ({
  role: 'assistant',
  content,
});

const ask = user(text('Look at the parser.'));
const say = assistant(text('It is in order.'));
const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} };
const nested = {
  ...use('t1'),
  caller: { type: 'code_execution_20250825', tool_id: 'srv_9' },
};
const compaction = { type: 'compaction', content: 'Earlier.', signature: 'other' };

const body = (...messages: readonly JsonRecord[]): JsonRecord => ({
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  system: [text('Be careful.')],
  messages,
});
const instruction: JsonRecord = { role: 'system', content: [text('Now')] };
const effort: JsonRecord = { role: 'system', content: [], output_config: { effort: 'low' } };
const change = (type: string, name: string): JsonRecord => ({
  role: 'system',
  content: [{ type, tool: { type: 'tool_reference', name } }],
});
const late = (...messages: readonly JsonRecord[]): JsonRecord => ({
  ...body(...messages),
  model: 'claude-opus-4-8',
  tools: [{ name: 'read_file' }, { name: 'write_file', defer_loading: true }],
});
const thoughtful = (...messages: readonly JsonRecord[]): JsonRecord => ({
  ...body(...messages),
  thinking: { type: 'enabled', budget_tokens: 1024 },
});

/** Breaks of Anthropic's rules. */
export const anthropicMutations: MutationSet = {
  legal: thoughtful(ask, assistant(thinking('Hm.'), use('t1')), user(outcome('t1'))),
  illegal: [
    ['AN1', 'nothing but a system prompt', body()],
    ['AN2', 'an assistant message first', body(say, ask)],
    ['AN3', 'a call without its result', body(ask, assistant(use('t1')), ask)],
    [
      'AN3',
      'a text before the result',
      body(ask, assistant(use('t1')), user(text('And'), outcome('t1'))),
    ],
    ['AN4', 'a result without its call', body(user(text('Look.'), outcome('t1')))],
    [
      'AN4',
      'a summary between call and result',
      body(ask, assistant(use('t1')), ask, say, user(outcome('t1'))),
    ],
    [
      'AN5',
      'two results of one call',
      body(ask, assistant(use('t1')), user(outcome('t1'), outcome('t1'))),
    ],
    ['AN6', 'a blank text', body(user(text(' ')))],
    ['AN6', 'a blank system text', { ...body(ask), system: [text('')] }],
    ['AN6', 'a message without content', body(ask, assistant(), ask)],
    [
      'AN7',
      'five cache breakpoints',
      { ...body(user(cached)), system: [cached, cached, cached, cached] },
    ],
    [
      'AN8',
      'an open tool loop without its thinking',
      thoughtful(ask, assistant(use('t1')), user(outcome('t1'))),
    ],
    [
      'AN8',
      'a changed thought',
      thoughtful(ask, assistant(thinking('Hm.', 'other'), use('t1')), user(outcome('t1'))),
    ],
    [
      'AN8b',
      'thinking at the end of a message',
      body(ask, assistant(text('So'), thinking('Hm.')), ask),
    ],
    ['AN9', 'a prefill that ends in white space', body(ask, assistant(text('The answer is ')))],
    [
      'AN10',
      'a system message among the messages',
      body(ask, { role: 'system', content: [text('Now')] }, say, ask),
    ],
    ['AN10', 'an instruction before a user message', late(ask, instruction, ask)],
    ['AN10', 'an instruction behind an answer', late(ask, say, instruction)],
    [
      'AN10',
      'a change of tools beside an effort before a user message',
      late(ask, change('tool_removal', 'read_file'), effort, ask),
    ],
    ['AN10', 'a removal of what is not there', late(ask, change('tool_removal', 'write_file'))],
    ['AN10', 'an addition of what is there', late(ask, change('tool_addition', 'read_file'))],
    ['AN10', 'an addition of what nobody declared', late(ask, change('tool_addition', 'fly'))],
    [
      'AN10',
      'a change of tools that is cleared',
      late(ask, { ...change('tool_removal', 'read_file'), clear_at: 'next_user_message' }),
    ],
    ['AN11', 'a server tool without its result', body(ask, assistant(search), ask)],
    ['AN12', 'a changed compaction', body(ask, assistant(compaction, text('On.')), ask)],
    [
      'AN13',
      'an input that is no object',
      body(ask, assistant(use('t1', '{}')), user(outcome('t1'))),
    ],
    ['AN14', 'an id with a dot', body(ask, assistant(use('t.1')), user(outcome('t.1')))],
    ['AN15', 'a caller that is gone', body(ask, assistant(nested), user(outcome('t1')))],
  ],
};
