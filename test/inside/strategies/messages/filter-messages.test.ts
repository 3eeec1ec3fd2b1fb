import { describe, expect, it } from 'vitest';
import type { Message, MessageFilter } from '../../../../src/index.ts';
import {
  filterMessages,
  type FilterMessagesOptions,
} from '../../../../src/strategies/messages/filter-messages.ts';
import { resolveMessageFilter } from '../../../../src/strategies/messages/message-filter.ts';
import { assistant, toolCall, toolResult, user } from '../../../strategies/llm/fixtures.ts';
import { noPauses } from '../../support/no-pauses.ts';

const messages: readonly Message[] = [
  user('u'.repeat(30)),
  toolCall('Read', { path: 'a.ts' }),
  toolResult('Read', 'r'.repeat(30)),
  assistant('a'.repeat(30)),
  user('short'),
];

function options(filter: MessageFilter): FilterMessagesOptions {
  return { filter: resolveMessageFilter(filter), maxSummaryChars: 25 };
}

describe('filterMessages', () => {
  it('returns the same array when everything is read', async () => {
    expect(await filterMessages(messages, options({}), noPauses)).toBe(messages);
  });

  it('cuts what is too long', async () => {
    const filtered = await filterMessages(
      messages,
      options({ toolResults: 'summary', userMessages: 'summary' }),
      noPauses,
    );
    expect(filtered).toEqual([
      user(`${'u'.repeat(22)}...`),
      messages[1],
      toolResult('Read', `${'r'.repeat(22)}...`),
      messages[3],
      messages[4],
    ]);
  });

  it('leaves out texts but for a marker, and keeps calls and files', async () => {
    const file = {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'data', data: '' },
    } as const;
    const given: readonly Message[] = [
      {
        role: 'user',
        content: [{ type: 'text', text: 'one' }, file, { type: 'text', text: 'two' }],
      },
      ...messages.slice(1, 4),
    ];
    const filtered = await filterMessages(
      given,
      options({ toolResults: 'omit', userMessages: 'omit', agentMessages: 'omit' }),
      noPauses,
    );
    expect(filtered).toEqual([
      { role: 'user', content: [{ type: 'text', text: '[7 characters omitted]' }, file] },
      messages[1],
      toolResult('Read', '[30 characters omitted]'),
      assistant('[30 characters omitted]'),
    ]);
  });
});
