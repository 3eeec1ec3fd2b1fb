import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { llmStrategy, type SummaryAttempt } from '../../../src/index.ts';
import { answer, modelResult, summarizer, summaryInput, toolResult, user } from './fixtures.ts';
import { errorOf, withTimers } from './watch.ts';

const good = answer({ summary: 'The user asked for a migration.', keyPoints: ['Role billing_rw'] });
const goodJson = JSON.stringify(good);

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

describe('answers of a model', () => {
  it.each([
    ['a fence and line feeds', `\`\`\`${'\n'.repeat(500_000)}`],
    ['line feeds in a fence', `\`\`\`\n${' \n'.repeat(500_000)}\`\`\` `],
    ['a fence after the other', '```\n'.repeat(300_000)],
  ])('ends with an unusable answer: %s', async (_, text) => {
    const error = await errorOf(
      llmStrategy().summarize(summaryInput(summarizer([modelResult(text)]))),
    );
    expect(error.reason).toBe('invalid-output');
  });

  it('reads no more of an answer than a summary can have', async () => {
    const padded = (length: number): string => goodJson + ' '.repeat(length - goodJson.length);
    const read = summarizer([modelResult(padded(400_000))]);
    const output = await withTimers(llmStrategy().summarize(summaryInput(read)));
    expect(output.content.keyPoints).toEqual(['Role billing_rw']);
    for (const text of [
      `{"a":"${'x'.repeat(400_000)}",${goodJson.slice(1)}`,
      '['.repeat(2_000_000),
    ]) {
      const error = await errorOf(
        llmStrategy().summarize(summaryInput(summarizer([modelResult(text)]))),
      );
      expect(error.reason).toBe('invalid-output');
    }
  });

  it.each([
    ['a fence', `\`\`\`json\n${goodJson}\n\`\`\`\n`],
    ['a fence on one line', `\`\`\`json ${goodJson} \`\`\``],
    ['a fence with words around it', `Here:\n\`\`\`\n${goodJson}\n\`\`\`\nAnything else?`],
    ['words before it', `Here you are {as asked}: ${goodJson}`],
    ['words behind it', `${goodJson}\n\nThat is all {of it}.`],
    ['a tag before it', `<analysis>x</analysis>${goodJson}`],
    ['thoughts before it', `<think>{"summary":"A draft."}</think>\n${goodJson}`],
    ['no thoughts', `<think>\n\n</think>\n\n${goodJson}`],
    ['the end of a thought', `So I write {"summary":"A draft."}.</think>${goodJson}`],
    ['a token of its template', `${goodJson}<|im_end|>`],
    ['a list around it', `[${goodJson}]`],
    ['an object around it', `{"record":${goodJson}}`],
    ['its last brace missing', goodJson.slice(0, -1)],
    ['a broken one before it', `{"summary": "A draft", oops} ${goodJson}`],
  ])('are read with %s', async (_, text) => {
    const model = summarizer([modelResult(text)]);
    const { content } = await withTimers(llmStrategy().summarize(summaryInput(model)));
    expect([content.summary, content.keyPoints]).toEqual([good.summary, ['Role billing_rw']]);
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it.each(['stop', 'length', 'other'] as const)(
    'count that came as a whole, when they ended with %s',
    async (finishReason) => {
      const model = summarizer([modelResult(goodJson, finishReason)]);
      const output = await withTimers(llmStrategy().summarize(summaryInput(model)));
      expect(output.content.summary).toBe(good.summary);
    },
  );

  it('keep their whole items when they are cut off in the middle', async () => {
    const written = JSON.stringify({
      summary: 'They moved.',
      keyPoints: ['One.', 'Two.', 'Three is cut'],
    });
    const model = summarizer([modelResult(written.slice(0, -6), 'length')]);
    const { content } = await withTimers(llmStrategy().summarize(summaryInput(model)));
    expect([content.summary, content.keyPoints]).toEqual(['They moved.', ['One.', 'Two.']]);
  });

  const unusable = [
    ['malformed JSON', '{"summary": "a'],
    ['no text', ''],
    ['an empty summary', JSON.stringify(answer({ summary: ' \n' }))],
    ['JSON of another form', '{"text":"x"}'],
    ['a __proto__ key', '{"__proto__":{"summary":{"polluted":1}},"text":"x"}'],
    ['a thought without an end', `<think>${goodJson}`],
  ] as const;
  const refusals = new Set<string>(['content-filter', 'tool-calls', 'error']);
  const cutShort = ['length', 'content-filter', 'tool-calls', 'error', 'other'] as const;

  it.each([
    ...unusable.map(([name, text]) => ({ finishReason: 'stop' as const, name, text })),
    ...cutShort.flatMap((finishReason) =>
      [...(refusals.has(finishReason) ? [['valid JSON', goodJson] as const] : []), ...unusable].map(
        ([name, text]) => ({
          finishReason,
          name,
          text,
        }),
      ),
    ),
  ])(
    'rejects $name that ended with $finishReason, without another call',
    async ({ finishReason, text }) => {
      const model = summarizer([modelResult(text, finishReason)]);
      const other = summarizer([good], 'other');
      const attempts: SummaryAttempt[] = [];
      const error = await errorOf(
        llmStrategy({ models: [model, other] }).summarize(
          summaryInput(model, { onAttempt: (attempt) => attempts.push(attempt) }),
        ),
      );
      expect([error.reason, error.retryable]).toEqual(['invalid-output', false]);
      expect(error.message).toContain(finishReason === 'stop' ? 'the answer' : finishReason);
      expect(attempts).toHaveLength(1);
      expect(attempts[0]).toMatchObject({ model: 'mock:summarizer', outcome: 'invalid-output' });
      expect([model.doGenerateCalls.length, other.doGenerateCalls.length]).toEqual([1, 0]);
      expect('polluted' in {}).toBe(false);
    },
  );

  it('rejects an answer that is not smaller than its source', async () => {
    const long = answer({ summary: 'word '.repeat(2000) });
    const model = summarizer([long]);
    const error = await errorOf(llmStrategy().summarize(summaryInput(model)));
    expect([error.reason, error.retryable]).toEqual(['not-smaller', false]);
    const repeating = summarizer([
      answer({ keyPoints: Array.from({ length: 200 }, () => 'The same point again.') }),
    ]);
    expect((await errorOf(llmStrategy().summarize(summaryInput(repeating)))).reason).toBe(
      'not-smaller',
    );
  });

  it('does not count the keys of the JSON against a short source', async () => {
    const messages = [
      user('The deployment to the Frankfurt region is planned for the ninth of May at noon.'),
    ];
    const model = summarizer([answer({ summary: 'Deployment to Frankfurt: 9 May, noon.' })]);
    await expect(
      withTimers(llmStrategy().summarize(summaryInput(model, { messages }))),
    ).resolves.toBeDefined();
  });

  it('counts what it did not read of a tool output as source', async () => {
    const messages = [toolResult('read', 'line of a log file. '.repeat(5000))];
    const model = summarizer([answer({ summary: 'word '.repeat(1000) })]);
    await expect(
      withTimers(llmStrategy().summarize(summaryInput(model, { messages }))),
    ).resolves.toBeDefined();
  });
});
