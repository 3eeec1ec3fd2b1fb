import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { readCompactCommand, type SummarizationCallOptions } from '../src/index.ts';
import { chat } from './support/messages.ts';
import { setUp } from './support/set-up.ts';

describe('readCompactCommand', () => {
  it.each([
    ['/compact', { force: true }],
    ['  /compact \n', { force: true }],
    ['/compact keep the API design', { force: true, instructions: 'keep the API design' }],
    ['/compact\nkeep:\n- the  paths', { force: true, instructions: 'keep:\n- the  paths' }],
    ['/compacted', undefined],
    ['please /compact', undefined],
    ['', undefined],
  ])('reads %j', (text, command) => {
    expect(readCompactCommand(text)).toEqual(command);
  });

  it('refuses what is no text', () => {
    // @ts-expect-error -- what callers without types may write
    expect(() => readCompactCommand(undefined)).toThrow('Invalid option text');
  });

  it('makes the summary that it asks for', async () => {
    const { model, summarizer } = setUp({ contextLength: 100_000, strategy: 'llm' });
    const command = readCompactCommand('/compact keep the API design');
    const summarization = { conversationId: 'a', ...command } satisfies SummarizationCallOptions;
    await generateText({ model, messages: chat(19), providerOptions: { summarization } });
    expect(JSON.stringify(summarizer.doGenerateCalls)).toContain('keep the API design');
  });
});
