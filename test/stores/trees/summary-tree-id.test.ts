import { expect, it } from 'vitest';
import { summaryTreeId } from '../../../src/index.ts';

// No two conversations have the same, and none that of one without an id, which begins with a slash.
it.each([
  { conversationId: 'chat-42', namespace: undefined, id: 'chat-42' },
  { conversationId: 'chat-42', namespace: '', id: 'chat-42' },
  { conversationId: 'chat-42', namespace: 'tenant', id: 'tenant/chat-42' },
  { conversationId: '/a/%2F%', namespace: '', id: '%2Fa%2F%252F%25' },
  { conversationId: '%2F', namespace: '/%a/%', id: '%2F%25a%2F%25/%252F' },
  { conversationId: '\ud800', namespace: '', id: '\ud800' },
])('summaryTreeId is $id', ({ conversationId, namespace, id }) => {
  expect(summaryTreeId({ conversationId, namespace })).toBe(id);
});
