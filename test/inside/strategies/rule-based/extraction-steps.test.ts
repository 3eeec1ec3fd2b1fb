import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/index.ts';
import { extractContent } from '../../../../src/strategies/rule-based/extract-content.ts';
import { outputText } from '../../../../src/strategies/rule-based/texts/output-text.ts';
import { findUserRules } from '../../../../src/strategies/rule-based/facts/user-rules.ts';
import { countedSlices } from '../../support/counted-slices.ts';
import { assistant, toolCall, toolResult, user } from '../../../strategies/llm/fixtures.ts';

const model = new MockLanguageModelV4({ provider: 'openai', modelId: 'gpt-5-mini' });

function wide(keys: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: keys }, (_, index) => [`key_${index}a`, index]));
}

function chinese(length: number): string {
  return Array.from({ length }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
  ).join('');
}

function patch(files: number): string {
  return Array.from(
    { length: files },
    (_, index) => `*** Update File: src/folder-${index}/part-${index}.ts\n+line\n`,
  ).join('');
}

/** Times that an extraction asks whether others want a turn, and characters that it counts. */
async function stepsFor(messages: readonly Message[]): Promise<number> {
  const slices = countedSlices();
  let counted = 0;
  await extractContent(
    { messages, usePreviousNarrative: true, model, maxSummaryTokens: 500 },
    { extractors: {}, preserveErrorDetails: true, minUserTurns: 3 },
    {
      slices,
      count: (text) => {
        counted += text.length;
        return Math.ceil(text.length / 4);
      },
    },
  );
  return slices.asked() + counted / 100;
}

describe('extractContent', () => {
  it.each<[string, (size: number) => readonly Message[]]>([
    ['text without spaces', (size) => [user(chinese(8 * size))]],
    ['one line after the other', (size) => [user('Never do it.\n'.repeat(size))]],
    ['JSON of many keys', (size) => [toolCall('query', wide(size)), toolResult('query', 'ok')]],
    [
      'JSON of many keys in a text',
      (size) => [toolCall('query', {}), toolResult('query', JSON.stringify(wide(size)))],
    ],
    [
      'a patch of many files',
      (size) => [toolCall('apply_patch', { patch: patch(size) }), toolResult('apply_patch', 'ok')],
    ],
    [
      'many messages',
      (size) =>
        Array.from({ length: size }, (_, index) =>
          index % 2 === 0 ? user(`file_${index}a`) : assistant('b'),
        ),
    ],
  ])('takes twice the steps for twice as much: %s', async (_, messages) => {
    const once = await stepsFor(messages(2000));
    const twice = await stepsFor(messages(4000));
    expect(once).toBeGreaterThan(200);
    expect(twice / once).toBeLessThan(2.6);
  });

  it('asks for a turn at least once for each thousand characters of a long text', async () => {
    const slices = countedSlices();
    await extractContent(
      {
        messages: [user('a'.repeat(200_000)), user('word '.repeat(100_000))],
        usePreviousNarrative: true,
        model,
        maxSummaryTokens: 500,
      },
      { extractors: {}, preserveErrorDetails: true, minUserTurns: 3 },
      { slices, count: (text) => text.length / 4 },
    );
    expect(slices.asked()).toBeGreaterThan(700);
  });

  it.each([
    ['without an end', 'a'.repeat(400_000)],
    ['of full stops', '.'.repeat(400_000)],
  ])('asks for a turn while it looks for sentences in a text %s', async (_, text) => {
    const slices = countedSlices();
    await findUserRules([{ index: 0, role: 'user', text }], [], slices);
    expect(slices.asked()).toBeGreaterThan(20);
  });

  it('reads JSON in a text of more than 400,000 characters as the text it is', async () => {
    const output = (value: string) => outputText({ type: 'text', value }, countedSlices());
    const long = JSON.stringify({ key: 'x'.repeat(400_000) });
    expect(await output('{"key":"x"}')).toBe('key: x');
    expect(await output(long)).toBe(long);
  });
});
