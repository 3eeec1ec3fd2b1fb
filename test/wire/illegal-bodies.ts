import { anthropicApi } from './apis/anthropic.ts';
import { bedrockApi, strictBedrockApi } from './apis/bedrock.ts';
import { mistralApi, openaiChatApi, strictTemplateApi } from './apis/chat.ts';
import { googleApi } from './apis/google.ts';
import { openaiResponsesApi } from './apis/responses.ts';
import { proofOf } from './apis/rule.ts';
import type { WireApi } from './apis/wire-api.ts';
import type { JsonRecord } from './json-view.ts';

type Blocks = readonly JsonRecord[];

/** A legal body of an API and what it becomes when one rule is broken. */
interface IllegalBodies {
  readonly name: string;
  readonly api: WireApi;
  readonly path: string;
  readonly legal: JsonRecord;
  /** The rule that each illegal body breaks, what is wrong with it, and the body. */
  readonly illegal: readonly (readonly [rule: string, what: string, body: JsonRecord])[];
}

const ephemeral = { cache_control: { type: 'ephemeral' } };

function anthropic(): Omit<IllegalBodies, 'name'> {
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
  const cached = { ...text('Be careful.'), ...ephemeral };
  const user = (...content: Blocks): JsonRecord => ({ role: 'user', content });
  const assistant = (...content: Blocks): JsonRecord => ({ role: 'assistant', content });
  const system = (content: Blocks, more: object = {}): JsonRecord => ({
    role: 'system',
    content,
    ...more,
  });
  const ask = user(text('Look at the parser.'));
  const say = assistant(text('It is in order.'));
  const called = assistant(use('t1'));
  const search = { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} };
  const nested = {
    ...use('t1'),
    caller: { type: 'code_execution_20250825', tool_id: 'srv_9' },
  };
  const compaction = { type: 'compaction', content: 'Earlier.', signature: 'other' };
  const instruction = system([text('Now')]);
  const effort = system([], { output_config: { effort: 'low' } });
  const change = (type: string, name: string, more: object = {}): JsonRecord =>
    system([{ type, tool: { type: 'tool_reference', name } }], more);
  const body = (...messages: Blocks): JsonRecord => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    system: [text('Be careful.')],
    messages,
  });
  const late = (...messages: Blocks): JsonRecord => ({
    ...body(...messages),
    model: 'claude-opus-4-8',
    tools: [{ name: 'read_file' }, { name: 'write_file', defer_loading: true }],
  });
  const thoughtful = (...messages: Blocks): JsonRecord => ({
    ...body(...messages),
    thinking: { type: 'enabled', budget_tokens: 1024 },
  });
  const removal = change('tool_removal', 'read_file');
  return {
    api: anthropicApi,
    path: '/messages',
    legal: thoughtful(ask, assistant(thinking('Hm.'), use('t1')), user(outcome('t1'))),
    illegal: [
      ['AN1', 'nothing but a system prompt', body()],
      ['AN2', 'an assistant message first', body(say, ask)],
      ['AN3', 'a call without its result', body(ask, called, ask)],
      ['AN3', 'a text before the result', body(ask, called, user(text('And'), outcome('t1')))],
      ['AN4', 'a result without its call', body(user(text('Look.'), outcome('t1')))],
      ['AN4', 'a summary between the two', body(ask, called, ask, say, user(outcome('t1')))],
      ['AN5', 'two results of a call', body(ask, called, user(outcome('t1'), outcome('t1')))],
      ['AN6', 'a blank text', body(user(text(' ')))],
      ['AN6', 'a blank system text', { ...body(ask), system: [text('')] }],
      ['AN6', 'a message without content', body(ask, assistant(), ask)],
      [
        'AN7',
        'five breakpoints',
        { ...body(user(cached)), system: [cached, cached, cached, cached] },
      ],
      ['AN8', 'an open tool loop without thinking', thoughtful(ask, called, user(outcome('t1')))],
      [
        'AN8',
        'a changed thought',
        thoughtful(ask, assistant(thinking('Hm.', 'other'), use('t1')), user(outcome('t1'))),
      ],
      ['AN8b', 'thinking at the end', body(ask, assistant(text('So'), thinking('Hm.')), ask)],
      ['AN9', 'a prefill that ends in white space', body(ask, assistant(text('It is ')))],
      ['AN10', 'a system message among the messages', body(ask, instruction, say, ask)],
      ['AN10', 'an instruction before a user message', late(ask, instruction, ask)],
      ['AN10', 'an instruction behind an answer', late(ask, say, instruction)],
      ['AN10', 'a change of tools beside an effort', late(ask, removal, effort, ask)],
      ['AN10', 'a removal of what is not there', late(ask, change('tool_removal', 'write_file'))],
      ['AN10', 'an addition of what is there', late(ask, change('tool_addition', 'read_file'))],
      ['AN10', 'an addition of what nobody declared', late(ask, change('tool_addition', 'fly'))],
      [
        'AN10',
        'a change of tools that is cleared',
        late(ask, { ...removal, clear_at: 'next_user_message' }),
      ],
      ['AN11', 'a server tool without its result', body(ask, assistant(search), ask)],
      ['AN12', 'a changed compaction', body(ask, assistant(compaction, text('On.')), ask)],
      ['AN13', 'an input of text', body(ask, assistant(use('t1', '{}')), user(outcome('t1')))],
      ['AN14', 'an id with a dot', body(ask, assistant(use('t.1')), user(outcome('t.1')))],
      ['AN15', 'a caller that is gone', body(ask, assistant(nested), user(outcome('t1')))],
    ],
  };
}

function google(): Omit<IllegalBodies, 'name'> {
  const model = (...parts: Blocks): JsonRecord => ({ role: 'model', parts });
  const user = (...parts: Blocks): JsonRecord => ({ role: 'user', parts });
  const body = (...contents: Blocks): JsonRecord => ({ contents });
  const call = (name: string, more: object = {}): JsonRecord => ({
    functionCall: { name, args: {} },
    ...more,
  });
  const signed = call('read', { thoughtSignature: proofOf('read{}') });
  const response = (name: string): JsonRecord => ({
    functionResponse: { name, response: { name, content: 'A line.' } },
  });
  const [ask, say] = [user({ text: 'Look at the parser.' }), model({ text: 'It is in order.' })];
  const [read, both] = [user(response('read')), user(response('read'), response('list'))];
  return {
    api: googleApi,
    path: '/models/gemini-3-pro-preview:generateContent',
    legal: body(ask, model(signed, call('list')), both),
    illegal: [
      ['GE1', 'no contents', body()],
      ['GE3', 'a call after a model turn', body(ask, say, model(signed), read)],
      ['GE4', 'one result too few', body(ask, model(signed, call('list')), read)],
      ['GE5', 'a model turn first', body(say, ask)],
      ['GE5', 'a result first', body(read, say, ask)],
      ['GE6', 'a call whose signature is lost', body(ask, model(call('read')), read)],
      [
        'GE7',
        'a signature of another call',
        body(ask, model(call('read', { thoughtSignature: 'other' })), read),
      ],
      ['GE8', 'a model turn last', body(ask, say)],
      ['GE9', 'a turn without parts', body(ask, model(), ask)],
      ['C3', 'a result without its call', body(ask, say, read)],
      ['C6', 'a blank text', body(user({ text: '' }))],
    ],
  };
}

function bedrock(): Readonly<Record<'usual' | 'strict', Omit<IllegalBodies, 'name'>>> {
  const text = (content: string): JsonRecord => ({ text: content });
  const use = (input: unknown = {}): JsonRecord => ({
    toolUse: { toolUseId: 't1', name: 'read_file', input },
  });
  const outcome = { toolResult: { toolUseId: 't1', content: [text('A line.')] } };
  const failure = { toolResult: { toolUseId: 't1', status: 'error', content: [] } };
  const thought = { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'other' } } };
  const user = (...content: Blocks): JsonRecord => ({ role: 'user', content });
  const assistant = (...content: Blocks): JsonRecord => ({ role: 'assistant', content });
  const body = (...messages: Blocks): JsonRecord => ({
    system: [text('Be careful.')],
    messages,
    toolConfig: { tools: [{ toolSpec: { name: 'read_file' } }] },
  });
  const [ask, say] = [user(text('Look at the parser.')), assistant(text('It is in order.'))];
  const [called, mixed] = [assistant(use()), user(outcome, text('And?'))];
  const strict: Omit<IllegalBodies, 'name'> = {
    api: strictBedrockApi,
    path: '/model/m/converse',
    legal: body(ask, called, user(outcome)),
    illegal: [['BE8', 'a text beside a result', body(ask, called, mixed)]],
  };
  const usual: Omit<IllegalBodies, 'name'> = {
    api: bedrockApi,
    path: '/model/m/converse',
    legal: body(ask, assistant(text('Looking.'), use()), mixed),
    illegal: [
      ['BE1', 'an assistant message first', body(say, ask)],
      ['C2', 'two user messages in a row', body(ask, ask)],
      ['BE2', 'no tools', { ...body(ask, called, user(outcome)), toolConfig: {} }],
      ['BE3', 'a result without its call', body(ask, say, user(outcome))],
      ['BE3', 'a call without its result', body(ask, called, ask)],
      ['BE4', 'a blank text', body(user(text('')))],
      ['BE6', 'changed reasoning', body(ask, assistant(thought, text('So.')), ask)],
      ['BE7', 'a cache point first', body(user({ cachePoint: {} }, text('Look.')))],
      ['BE9', 'an error without content', body(ask, called, user(failure))],
      ['C10', 'an input that is no object', body(ask, assistant(use('{}')), user(outcome))],
    ],
  };
  return { usual, strict };
}

const system = { role: 'system', content: 'Be careful.' };
const user = { role: 'user', content: 'Look at the parser.' };
const say = { role: 'assistant', content: 'It is in order.' };
const call = (id: string, name = 'read_file', args = '{}'): JsonRecord => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
});
const result = (id: string): JsonRecord => ({ role: 'tool', tool_call_id: id, content: 'A line.' });
const chat = (...messages: Blocks): JsonRecord => ({ model: 'model', messages });
const [a, b] = [
  [call('a'), result('a')],
  [call('c00000001'), result('c00000001')],
];
const unknownKey = chat({ ...user, timestamp: 1 });

function responses(): Omit<IllegalBodies, 'name'> {
  const ask = { role: 'user', content: [{ type: 'input_text', text: 'Look at the parser.' }] };
  const blank = { role: 'user', content: [{ type: 'input_text', text: '' }] };
  const developer = { role: 'developer', content: 'Be careful.' };
  const calls = (id: string): JsonRecord => ({
    type: 'function_call',
    call_id: id,
    name: 'read_file',
    arguments: '{}',
  });
  const output = (id: string): JsonRecord => ({
    type: 'function_call_output',
    call_id: id,
    output: 'A line.',
  });
  const [one, two] = [
    [calls('call_1'), output('call_1')],
    [calls('call_2'), output('call_2')],
  ];
  const update = (effort: string): JsonRecord => ({
    type: 'configuration_update',
    reasoning: { effort },
  });
  const reference = (id: string): JsonRecord => ({ type: 'item_reference', id });
  const reasoning = (encrypted: string): JsonRecord => ({
    type: 'reasoning',
    id: 'rs_1',
    encrypted_content: encrypted,
    summary: [{ type: 'summary_text', text: 'A thought.' }],
  });
  const summary = { role: 'developer', content: '[summary-depth:0] A record.' };
  const body = (...input: Blocks): JsonRecord => ({ model: 'gpt-6-luna', input });
  const encrypted = { ...body(ask, reasoning('other'), ...one), store: false };
  return {
    api: openaiResponsesApi,
    path: '/responses',
    legal: body(developer, ask, reference('rs_1'), calls('call_1a'), output('call_1a'), ask),
    illegal: [
      ['C1', 'nothing but instructions', body(developer)],
      ['C5', 'a result twice', body(ask, ...one, output('call_1'))],
      ['C6', 'a blank text', body(ask, reasoning(proofOf('A thought.')), ...one, blank)],
      ['OR1', 'a result without its call', body(ask, output('call_1'))],
      ['OR2', 'a call without its result', body(ask, calls('call_1'), ask)],
      ['OR3', 'reasoning without what it led to', body(ask, reference('rs_1'), ask)],
      ['OR3', 'reasoning before another item', body(ask, reference('rs_1'), ...two)],
      ['OR4', 'a stored message without its reasoning', body(ask, reference('msg_1'), ask)],
      ['OR5', 'what was not stored', { ...body(ask, reference('msg_1')), store: false }],
      ['OR5', 'reasoning whose encryption does not fit', encrypted],
      ['OR6', 'an item twice', body(ask, reference('ws_1'), ask, reference('ws_1'))],
      [
        'OR7',
        'a summary beside a history the server holds',
        { ...body(summary, ask), previous_response_id: 'resp_0' },
      ],
      ['OR8', 'two updates in a row', body(ask, update('low'), update('high'), ask)],
    ],
  };
}

const path = '/chat/completions';
const { usual, strict } = bedrock();

/** Illegal bodies for every API. */
export const illegalBodies: readonly IllegalBodies[] = [
  {
    name: 'openai.chat',
    api: openaiChatApi,
    path,
    legal: chat(system, user, ...a, say, user),
    illegal: [
      ['C1', 'nothing but a system message', chat(system)],
      ['C5', 'a call id twice', chat(user, ...a, ...a)],
      ['C6', 'a blank user text', chat(system, { role: 'user', content: ' \n' })],
      ['C9', 'an unknown key', unknownKey],
      ['C10', 'arguments cut short', chat(user, call('a', 'read_file', '{"p":'), result('a'))],
      ['OC1', 'a result without its call', chat(system, user, result('a'))],
      ['OC1', 'a summary between call and result', chat(user, call('a'), system, result('a'))],
      ['OC2', 'a call without its result', chat(user, call('a'), user)],
      ['OC4', 'neither content nor calls', chat(user, { ...say, content: null }, user)],
    ],
  },
  {
    // Its ids have nine characters.
    name: 'mistral',
    api: mistralApi,
    path,
    legal: chat(system, user, ...b, say, user),
    illegal: [
      ['C9', 'an unknown key', unknownKey],
      ['C2', 'an assistant message first', chat(system, say, user)],
      [
        'MI1',
        'a tool message after a user message',
        chat(user, call('c00000001'), user, ...b.slice(1)),
      ],
      ['MI2', 'a user message after a tool message', chat(user, ...b, user)],
      ['MI3', 'a call without its result', chat(user, call('c00000001'), say, user)],
      ['MI4', 'an id of another provider', chat(user, call('call_1'), result('call_1'))],
      ['MI5', 'an assistant message last', chat(user, say)],
      ['MI7', 'a name with a dot', chat(user, call('c00000001', 'fs.read'), ...b.slice(1))],
    ],
  },
  {
    name: 'strict template',
    api: strictTemplateApi,
    path,
    legal: chat(system, user, ...a, say, user),
    illegal: [
      ['C2', 'an assistant message first', chat(system, ...a, say)],
      ['C3', 'a result without its call', chat(user, result('a'))],
      ['C4', 'a call without its result', chat(user, call('a'), say)],
      ['ST1', 'two system messages', chat(system, system, user)],
      ['ST1', 'a late system message', chat(user, say, system, user)],
      ['ST2', 'two user messages in a row', chat(system, user, user)],
      ['ST3', 'a developer message', chat({ ...system, role: 'developer' }, user)],
    ],
  },
  { name: 'openai.responses', ...responses() },
  { name: 'anthropic', ...anthropic() },
  { name: 'google', ...google() },
  { name: 'amazon-bedrock', ...usual },
  { name: 'amazon-bedrock, strict', ...strict },
];
