import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summaryTreeId } from '../../../src/index.ts';

describe('summaryTreeId', () => {
  it.each([
    { conversationId: 'chat-42', namespace: undefined, id: 'chat-42' },
    { conversationId: 'chat-42', namespace: '', id: 'chat-42' },
    { conversationId: 'chat-42', namespace: 'tenant', id: 'tenant/chat-42' },
    { conversationId: 'a/b', namespace: '', id: 'a%2Fb' },
    { conversationId: '%2F', namespace: 'a/b', id: 'a%2Fb/%252F' },
    { conversationId: '\ud800', namespace: '', id: '\ud800' },
  ])('is $id', ({ conversationId, namespace, id }) => {
    expect(summaryTreeId({ conversationId, namespace })).toBe(id);
  });

  it('is another one for every other conversation', () => {
    const text = fc.oneof(fc.stringMatching(/^[a%/2F5]{0,6}$/), fc.string());
    const input = fc.record({ conversationId: text, namespace: text });
    fc.assert(
      fc.property(input, input, (one, other) => {
        const isSame =
          one.conversationId === other.conversationId && one.namespace === other.namespace;
        expect(summaryTreeId(one) === summaryTreeId(other)).toBe(isSame);
      }),
      { numRuns: 2000 },
    );
  });

  it('never begins as an id without a conversation id does', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (conversationId, namespace) => {
        expect(summaryTreeId({ conversationId, namespace })).not.toMatch(/^\//);
      }),
    );
  });
});
