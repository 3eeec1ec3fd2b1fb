import type { JsonRecord } from '../json-view.ts';
import type { MutationSet } from '../mutations.ts';
import { proofOf } from '../proof.ts';

const user = { role: 'user', content: [{ type: 'input_text', text: 'Look at the parser.' }] };
const developer = { role: 'developer', content: 'Be careful.' };
const call = (id: string): JsonRecord => ({
  type: 'function_call',
  call_id: id,
  name: 'read_file',
  arguments: '{}',
});
const result = (id: string): JsonRecord => ({
  type: 'function_call_output',
  call_id: id,
  output: 'A line.',
});
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
const body = (...input: readonly JsonRecord[]): JsonRecord => ({ model: 'gpt-6-luna', input });

/** Breaks of the rules of OpenAI's Responses API. */
export const responsesMutations: MutationSet = {
  legal: body(developer, user, reference('rs_1'), call('call_1a'), result('call_1a'), user),
  illegal: [
    ['C1', 'nothing but instructions', body(developer)],
    ['C5', 'a result twice', body(user, call('call_1'), result('call_1'), result('call_1'))],
    ['OR1', 'a result without its call', body(user, result('call_1'))],
    ['OR2', 'a call without its result', body(user, call('call_1'), user)],
    ['OR3', 'reasoning without what it led to', body(user, reference('rs_1'), user)],
    [
      'OR3',
      'reasoning before another item',
      body(user, reference('rs_1'), call('call_2'), result('call_2')),
    ],
    ['OR4', 'a stored message without its reasoning', body(user, reference('msg_1'), user)],
    [
      'OR5',
      'a reference to what was not stored',
      { ...body(user, reference('msg_1')), store: false },
    ],
    [
      'OR5',
      'reasoning whose encryption does not fit',
      { ...body(user, reasoning('other'), call('call_1'), result('call_1')), store: false },
    ],
    ['OR6', 'an item twice', body(user, reference('ws_1'), user, reference('ws_1'))],
    [
      'OR7',
      'a summary beside a history the server holds',
      { ...body(summary, user), previous_response_id: 'resp_0' },
    ],
    ['OR8', 'two updates in a row', body(user, update('low'), update('high'), user)],
    [
      'C6',
      'a blank text',
      body(user, reasoning(proofOf('A thought.')), call('call_1'), result('call_1'), {
        role: 'user',
        content: [{ type: 'input_text', text: '' }],
      }),
    ],
  ],
};
