import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../lib/chat-message.ts';
import { continuedMessages } from '../lib/chat-request.ts';
import { requestFor } from '../lib/request-for.ts';

const user = (id: string, text = id): ChatMessage & { role: 'user' } => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
});
const assistant = (id: string): ChatMessage => ({ ...user(id), role: 'assistant' });
const stored = [user('u1'), assistant('a1'), user('u2'), assistant('a2')];

describe('continuedMessages', () => {
  it.each<[string, readonly ChatMessage[], readonly string[] | undefined]>([
    ['a new message', [...stored, user('u3')], ['u1', 'a1', 'u2', 'a2', 'u3']],
    ['a message that is stored, but has no answer', stored.slice(0, 3), ['u1', 'a1', 'u2']],
    ['an edited message', [user('u1', 'else')], ['u1']],
    [
      'a message after one that is not stored',
      [user('u0'), assistant('a0'), user('u3')],
      undefined,
    ],
    ['a message where another has followed', [user('u1'), assistant('a1'), user('u3')], undefined],
    ['a first message where there is one', [user('u3')], undefined],
    ['no message, at the end', stored, ['u1', 'a1', 'u2', 'a2']],
    ['no message, where others have followed', stored.slice(0, 2), undefined],
  ])('goes on from %s', (_name, shown, expected) => {
    const continued = continuedMessages(stored, requestFor('chat', shown));
    expect(continued?.map(({ id }) => id)).toEqual(expected);
  });

  it('goes on from an edit wherever it is made', () => {
    const request = requestFor('chat', [...stored.slice(0, 2), user('u9')], { edit: true });
    const continued = continuedMessages(stored, request);
    expect(continued?.map(({ id }) => id)).toEqual(['u1', 'a1', 'u9']);
    expect(continuedMessages([], request)).toBeUndefined();
  });

  it('takes the new text of an edited message', () => {
    const request = requestFor('chat', [user('u1', 'else')]);
    expect(continuedMessages(stored, request)).toEqual([user('u1', 'else')]);
  });

  it.each<[string, readonly ChatMessage[], readonly string[] | undefined]>([
    ['was stopped unseen', [user('u1'), assistant('a1')], ['u1', 'a1', 'u2']],
    ['never came', [user('u1')], ['u1', 'u2']],
    ['never came, nor the message', [], ['u1', 'u2']],
    ['has been replied to elsewhere', [user('u1'), assistant('a1'), user('u3')], undefined],
    ['was never asked for, but another', [user('u1'), user('u3')], undefined],
  ])('loses no message when the answer before %s', (_name, kept, expected) => {
    const request = requestFor('chat', [user('u1'), user('u2')]);
    expect(continuedMessages(kept, request)?.map(({ id }) => id)).toEqual(expected);
  });

  it('does not go on where an answer has followed that the page does not show', () => {
    const request = requestFor('chat', stored.slice(0, 2), { compact: '/compact' });
    expect(continuedMessages(stored, request)).toBeUndefined();
    expect(continuedMessages(stored.slice(0, 2), request)).toEqual(stored.slice(0, 2));
  });
});
