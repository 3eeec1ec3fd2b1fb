import type { JsonRecord } from '../json-view.ts';
import type { MutationSet } from '../mutations.ts';
import { proofOf } from '../proof.ts';

const ask = { role: 'user', parts: [{ text: 'Look at the parser.' }] };
const say = { role: 'model', parts: [{ text: 'It is in order.' }] };
const call = (name: string, thoughtSignature?: string): JsonRecord => ({
  functionCall: { name, args: {} },
  ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
});
const signed = (name: string): JsonRecord => call(name, proofOf(`${name}{}`));
const response = (name: string): JsonRecord => ({
  functionResponse: { name, response: { name, content: 'A line.' } },
});
const model = (...parts: readonly JsonRecord[]): JsonRecord => ({ role: 'model', parts });
const user = (...parts: readonly JsonRecord[]): JsonRecord => ({ role: 'user', parts });
const body = (...contents: readonly JsonRecord[]): JsonRecord => ({ contents });

/** Breaks of Gemini's rules. */
export const googleMutations: MutationSet = {
  legal: body(ask, model(signed('read'), call('list')), user(response('read'), response('list'))),
  illegal: [
    ['GE1', 'no contents', body()],
    [
      'GE3',
      'a call after a model turn',
      body(ask, say, model(signed('read')), user(response('read'))),
    ],
    [
      'GE4',
      'one result too few',
      body(ask, model(signed('read'), call('list')), user(response('read'))),
    ],
    ['GE5', 'a model turn first', body(say, ask)],
    ['GE5', 'a result first', body(user(response('read')), say, ask)],
    [
      'GE6',
      'a call whose signature is lost',
      body(ask, model(call('read')), user(response('read'))),
    ],
    [
      'GE7',
      'a signature of another call',
      body(ask, model(call('read', 'other')), user(response('read'))),
    ],
    ['GE8', 'a model turn last', body(ask, say)],
    ['GE9', 'a turn without parts', body(ask, model(), ask)],
    ['C3', 'a result without its call', body(ask, say, user(response('read')))],
    ['C6', 'a blank text', body(user({ text: '' }))],
  ],
};
