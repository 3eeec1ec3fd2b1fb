import type { JsonRecord } from '../json-view.ts';
import type { MutationSet } from '../mutations.ts';

const system = { role: 'system', content: 'Be careful.' };
const user = { role: 'user', content: 'Look at the parser.' };
const say = { role: 'assistant', content: 'It is in order.' };

const call = (id: string, name = 'read_file', args = '{}'): JsonRecord => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: args } }],
});
const result = (id: string): JsonRecord => ({ role: 'tool', tool_call_id: id, content: 'A line.' });
const body = (...messages: readonly JsonRecord[]): JsonRecord => ({ model: 'model', messages });

/** Breaks of OpenAI's chat rules. */
export const chatMutations: MutationSet = {
  legal: body(system, user, call('a'), result('a'), say, user),
  illegal: [
    ['C1', 'nothing but a system message', body(system)],
    ['C5', 'a call id twice', body(user, call('a'), result('a'), call('a'), result('a'))],
    ['C6', 'a blank user text', body(system, { role: 'user', content: ' \n' })],
    ['C9', 'an unknown key', body({ ...user, timestamp: 1 })],
    ['C10', 'arguments cut short', body(user, call('a', 'read_file', '{"path":'), result('a'))],
    ['OC1', 'a result without its call', body(system, user, result('a'))],
    ['OC1', 'a summary between call and result', body(user, call('a'), system, result('a'))],
    ['OC2', 'a call without its result', body(user, call('a'), user)],
    ['OC4', 'neither content nor calls', body(user, { role: 'assistant', content: null }, user)],
  ],
};

/** Breaks of Mistral's rules; its ids have nine characters. */
export const mistralMutations: MutationSet = {
  legal: body(system, user, call('c00000001'), result('c00000001'), say, user),
  illegal: [
    ['C9', 'an unknown key', body({ ...user, timestamp: 1 })],
    ['C2', 'an assistant message first', body(system, say, user)],
    [
      'MI1',
      'a tool message after a user message',
      body(user, call('c00000001'), user, result('c00000001')),
    ],
    [
      'MI2',
      'a user message after a tool message',
      body(user, call('c00000001'), result('c00000001'), user),
    ],
    ['MI3', 'a call without its result', body(user, call('c00000001'), say, user)],
    ['MI4', 'an id of another provider', body(user, call('call_1'), result('call_1'))],
    ['MI5', 'an assistant message last', body(user, say)],
    ['MI7', 'a name with a dot', body(user, call('c00000001', 'fs.read'), result('c00000001'))],
  ],
};

/** Breaks of a strict chat template's rules. */
export const strictTemplateMutations: MutationSet = {
  legal: body(system, user, call('a'), result('a'), say, user),
  illegal: [
    ['C2', 'an assistant message first', body(system, call('a'), result('a'), say)],
    ['C3', 'a result without its call', body(user, result('a'))],
    ['C4', 'a call without its result', body(user, call('a'), say)],
    ['ST1', 'two system messages', body(system, system, user)],
    ['ST1', 'a late system message', body(user, say, system, user)],
    ['ST2', 'two user messages in a row', body(system, user, user)],
    ['ST3', 'a developer message', body({ ...system, role: 'developer' }, user)],
  ],
};
