import { describe, expect, it } from 'vitest';
import { filteredStrategy } from '../../../../src/strategies/messages/filtered-strategy.ts';
import { resolveMessageFilter } from '../../../../src/strategies/messages/message-filter.ts';
import type { SummaryInput, SummaryStrategy } from '../../../../src/index.ts';
import {
  assistant,
  content,
  summarizer,
  summaryInput,
  toolResult,
  user,
} from '../../../strategies/llm/fixtures.ts';

const messages = [user('u'.repeat(99)), toolResult('t', 'r'.repeat(99)), assistant('a'.repeat(99))];

function reader(): { strategy: SummaryStrategy; read: SummaryInput['messages'][] } {
  const read: SummaryInput['messages'][] = [];
  const strategy: SummaryStrategy = {
    name: 'mine',
    summarize: (input) => {
      read.push(input.messages);
      return Promise.resolve({ content: content(), usage: { inputTokens: 0, outputTokens: 0 } });
    },
  };
  return { strategy, read };
}

describe('filteredStrategy', () => {
  it('is the same strategy when everything is read or left to its extractors', () => {
    const { strategy } = reader();
    const filter = resolveMessageFilter({ toolResults: 'summary' });
    expect(filteredStrategy(strategy, { filter, maxSummaryChars: 20 })).toBe(strategy);
  });

  it('cuts and omits texts before the strategy reads them', async () => {
    const { strategy, read } = reader();
    const lines: string[] = [];
    const filter = resolveMessageFilter({
      toolResults: 'omit',
      userMessages: 'summary',
      agentMessages: 'full',
    });
    const filtered = filteredStrategy(strategy, { filter, maxSummaryChars: 20 });
    const input = summaryInput(summarizer([]), { messages, log: (line) => lines.push(line) });
    await filtered.summarize(input);
    expect(filtered.name).toBe('mine');
    expect(read).toEqual([
      [user(`${'u'.repeat(17)}...`), toolResult('t', '[99 characters omitted]'), messages[2]],
    ]);
    expect(lines).toEqual(['user: 99 chars → 20 chars (79.8% reduction)']);
  });
});
