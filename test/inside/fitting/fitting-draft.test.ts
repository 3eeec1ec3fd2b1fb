import { describe, expect, it } from 'vitest';
import { writeDraft } from '../../../src/fitting/fitting-draft.ts';
import { trimRecord } from '../../../src/fitting/trim-record.ts';
import { spareFrameTokens } from '../../../src/sizing/size-rates.ts';
import { assistant, user } from '../../support/prompt-messages.ts';
import { callToFit, charactersOf, conversationOf } from './call-to-fit.ts';

describe('writeDraft', () => {
  it('counts what the user said in a record as messages of the user', async () => {
    const messages = [user('Go on.'), assistant('I went on.'), user('So?'), assistant('So I did.')];
    const task = {
      ...(await callToFit(messages)),
      target: 1000,
      leastCharacters: 10,
      conversation: conversationOf(messages, {
        count: async (message) => (message.role === 'user' ? 100 : 10) * charactersOf(message),
      }),
    };
    const record = await trimRecord(task, 2, true);
    const part = { record, cut: 2, userTexts: ['Go on.'] };
    const { kept } = await writeDraft(task, part, new Map());
    expect(kept).toEqual({
      tokens: 300 + 90 + 600 - 3 * spareFrameTokens,
      wholeMessages: 2,
      repeated: 1,
    });
  });
});
