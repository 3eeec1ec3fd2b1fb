import { expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { atomicGroups } from '../../../src/selection/conversation-view.ts';
import {
  assistant,
  call,
  result,
  results,
  system,
  thought,
  user,
} from '../../support/prompt-messages.ts';

const hosted = { providerExecuted: true };
const called = { providerOptions: { anthropic: { caller: { type: 'code', toolId: 'code' } } } };
const approval = { type: 'tool-approval-response', approvalId: 'a', approved: true } as const;
const [u, a] = [user('a'), assistant('b')];
const calls = (...ids: readonly string[]): Message => assistant('', ...ids.map((id) => call(id)));
const ofProvider = assistant('', call('1', hosted));
const [code, byCode] = [assistant('', call('code', hosted)), assistant('', call('1', called))];
const approved: Message = { role: 'tool', content: [approval, result('1')] };
const late = assistant('c', result('1'));

// Where a conversation may be cut, and the first call that is not answered.
it.each<[string, readonly Message[], readonly number[], number?]>([
  ['plain chat may be cut anywhere', [u, a, u, a], [1, 2, 3]],
  ['an empty conversation has no cut', [], []],
  ['parallel calls stay together', [u, calls('1', '2'), results('1', '2'), u], [1, 3]],
  ['steps may be parted', [u, calls('1'), results('1'), calls('2'), results('2')], [1, 3]],
  ['an approval stays with its call', [u, calls('1'), approved, u], [1, 3]],
  ['a hosted result binds nothing', [u, assistant('b', call('1', hosted), result('1')), u], [1, 2]],
  ['a later one binds all between', [u, ofProvider, u, late, u], [1, 4]],
  ['a provider may keep it to itself', [u, assistant('b', call('1', hosted)), u, a], [1, 2, 3]],
  [
    'calls made from code stay with it',
    [u, code, byCode, results('1'), assistant('b', result('code')), u],
    [1, 5],
  ],
  ['reasoning stays with what it produced', [u, assistant('', thought()), a, u], [1, 3]],
  ['a system message may be cut off', [u, system('b'), a, u], [1, 2, 3]],
  ['an unanswered call bars the way', [u, a, u, calls('1')], [1, 2, 3], 3],
  ['a half-answered batch too', [u, calls('1', '2'), results('1'), u], [1, 3], 1],
  [
    'ids that are used again belong to the latest call',
    [u, calls('1'), results('1'), u, calls('1'), results('1'), u],
    [1, 3, 4, 6],
  ],
])('%s', (_name, conversation, boundaries, firstUnanswered = conversation.length) => {
  expect(atomicGroups(conversation)).toMatchObject({ boundaries, firstUnanswered });
});

it('both ends of a group are found, and the users around a message', () => {
  const groups = atomicGroups([u, calls('1'), results('1'), u]);
  expect([0, 1, 2, 3].map(groups.startOf)).toEqual([0, 1, 1, 3]);
  expect([0, 1, 2, 3].map(groups.endOf)).toEqual([1, 3, 3, 4]);
  const { lastUserAt, nextUserFrom } = atomicGroups([a, u, a, u]);
  expect([0, 1, 2, 3].map(lastUserAt)).toEqual([undefined, 1, 1, 3]);
  expect([0, 1, 2, 4].map(nextUserFrom)).toEqual([1, 1, 3, undefined]);
});

it('thousands of calls may wait, and results may all come late', () => {
  const ids = Array.from({ length: 150_000 }, (_, index) => `${index}`);
  const waiting = ids.map((id) => calls(id));
  expect(atomicGroups(waiting).firstUnanswered).toBe(0);
  const answered = atomicGroups([...waiting, ...ids.map((id) => results(id)), u]);
  expect(answered.boundaries).toEqual([300_000]);
  expect([answered.startOf(299_999), answered.endOf(0)]).toEqual([0, 300_000]);
});
