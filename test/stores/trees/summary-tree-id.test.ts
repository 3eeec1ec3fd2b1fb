import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summaryTreeId } from '../../../src/index.ts';

describe('summaryTreeId', () => {
  it.each([
    { conversationId: 'chat-42', namespace: undefined, id: 'chat-42' },
    { conversationId: 'chat-42', namespace: '', id: 'chat-42' },
    { conversationId: 'chat-42', namespace: 'tenant', id: 'tenant/chat-42' },
    { conversationId: '%2F', namespace: 'a/b', id: 'a%2Fb/%252F' },
    { conversationId: '\ud800', namespace: '', id: '\ud800' },
  ])('is $id', ({ conversationId, namespace, id }) => {
    expect(summaryTreeId({ conversationId, namespace })).toBe(id);
  });

  it('is another one for every other conversation, and for one without an id', () => {
    const text = fc.oneof(fc.stringMatching(/^[a%/2F5]{0,6}$/), fc.string());
    const input = fc.record({ conversationId: text, namespace: text });
    fc.assert(
      fc.property(input, input, (one, other) => {
        const isSame =
          one.conversationId === other.conversationId && one.namespace === other.namespace;
        expect(summaryTreeId(one) === summaryTreeId(other)).toBe(isSame);
        expect(summaryTreeId(one)).not.toMatch(/^\//);
      }),
      { numRuns: 2000 },
    );
  });
});
