import { describe, expect, it } from 'vitest';
import { branchesAfter, switchedTo, versionsOf } from '../lib/branches.ts';
import type { ChatMessage } from '../lib/chat-message.ts';

const message = (id: string): ChatMessage => ({
  id,
  role: id.startsWith('u') ? 'user' : 'assistant',
  parts: [{ type: 'text', text: id }],
});
const list = (...ids: readonly string[]): ChatMessage[] => ids.map(message);
const idsOf = (branches: readonly (readonly ChatMessage[])[]) =>
  branches.map((branch) => branch.map(({ id }) => id));

describe('branchesAfter', () => {
  it('keeps what an edit leaves out, and nothing where the chat goes on', () => {
    const chat = { messages: list('u1', 'a1', 'u2', 'a2'), branches: [] };
    expect(branchesAfter(chat, list('u1', 'a1', 'u2', 'a2', 'u3'))).toEqual([]);
    expect(idsOf(branchesAfter(chat, list('u1', 'a1', 'u9')))).toEqual([['u1', 'a1', 'u2', 'a2']]);
  });

  it('does not keep an answer without a word', () => {
    const stopped: ChatMessage = { id: 'a1', role: 'assistant', parts: [] };
    expect(branchesAfter({ messages: [message('u1'), stopped], branches: [] }, list('u1'))).toEqual(
      [],
    );
  });
});

describe('switchedTo', () => {
  it('goes back and forth between versions without losing one', () => {
    const chat = { messages: list('u1', 'a1', 'u9', 'a9'), branches: [list('u1', 'a1', 'u2')] };
    const back = switchedTo(chat, 'u2');
    expect(back && idsOf([back.messages, ...back.branches])).toEqual([
      ['u1', 'a1', 'u2'],
      ['u1', 'a1', 'u9', 'a9'],
    ]);
    expect(back && switchedTo(back, 'u9')?.messages).toEqual(chat.messages);
    expect(switchedTo(chat, 'u7')).toBeUndefined();
  });
});

describe('versionsOf', () => {
  it('names the versions of a message where conversations part, and nowhere else', () => {
    const versions = versionsOf(
      ['u1', 'a1', 'u9', 'a9'],
      [
        ['u1', 'a1', 'u2', 'a2'],
        ['u1', 'a0', 'u5'],
      ],
    );
    expect([...versions]).toEqual([
      ['a1', ['a0', 'a1']],
      ['u9', ['u2', 'u9']],
    ]);
  });
});
