import { describe, expect, it } from 'vitest';
import { llmStrategy, type SummaryAttempt } from '../../../../src/index.ts';
import {
  httpError,
  modelResult,
  promptText,
  summarizer,
  summaryInput,
  user,
} from '../../../strategies/llm/fixtures.ts';
import { condensing, good, isSummary, long, run, transcript } from './fixtures.ts';

function users(count: number) {
  return Array.from({ length: count }, (_, index) => user(`${index}: ${long}`));
}

describe('condensed messages', () => {
  const options = { messageFilter: { userMessages: 'summary' } } as const;

  it('are paid for once by content, template and limit', async () => {
    const model = condensing(() => modelResult('short'));
    const strategy = llmStrategy(options);
    const condensed = () => model.doGenerateCalls.filter((call) => !isSummary(call)).length;
    await strategy.summarize(summaryInput(model, { messages: [...users(3), ...users(3)] }));
    expect(condensed()).toBe(3);
    await strategy.summarize(summaryInput(model, { messages: users(4) }));
    expect(condensed()).toBe(4);
  });

  it('are asked for one after the other', async () => {
    let running = 0;
    let most = 0;
    const model = summarizer([good]);
    const { doGenerate } = model;
    model.doGenerate = async (call) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      await Promise.resolve();
      running -= 1;
      return isSummary(call) ? doGenerate(call) : modelResult('short');
    };
    await run(options, model, { messages: users(9) });
    expect(most).toBe(1);
    expect(transcript(model).match(/"text":"short"/g)).toHaveLength(9);
  });

  it.each([
    ['fails', httpError(500)],
    ['answers with nothing', modelResult('')],
    ['refuses', modelResult('I will not.', 'content-filter')],
  ])('are cut when the model %s once', async (_, reply) => {
    const attempts: SummaryAttempt[] = [];
    const { model, output } = await run(
      options,
      condensing((__, call) => (call === 1 ? reply : modelResult('short'))),
      { messages: users(4), onAttempt: (attempt) => attempts.push(attempt) },
    );
    const text = transcript(model);
    expect(text.match(/"text":"short"/g)).toHaveLength(3);
    expect(text).toMatch(/"text":"0: The quick[^"]{480,}…"/);
    expect(attempts.filter(({ outcome }) => outcome !== 'ok')).toHaveLength(1);
    expect(output.content.summary).toBe('The user asked for a file.');
  });

  it('stop after two failures, so that the summary has one of the three left', async () => {
    const { model } = await run(
      options,
      condensing(() => httpError(503)),
      { messages: users(9) },
    );
    expect(model.doGenerateCalls).toHaveLength(3);
    expect(transcript(model).match(/…"/g)).toHaveLength(9);
  });

  it('never make more than three failing calls with the summary', async () => {
    const model = summarizer([httpError(503)]);
    const attempt = llmStrategy(options).summarize(summaryInput(model, { messages: users(9) }));
    await expect(attempt).rejects.toThrow(/could not be used/);
    expect(model.doGenerateCalls).toHaveLength(3);
  });

  it('go to the next model when one cannot be reached', async () => {
    const down = summarizer([httpError(503)], 'down');
    const up = condensing(() => modelResult('short'), 'up');
    await run({ ...options, models: [down, up] }, up, { messages: users(5) });
    expect(down.doGenerateCalls).toHaveLength(1);
    expect(transcript(up)).not.toBe('');
  });

  it('end with the reason of an abort', async () => {
    const controller = new AbortController();
    const model = condensing(() => {
      controller.abort(new Error('gone'));
      return modelResult('short');
    });
    await expect(
      run(options, model, { messages: users(9), abortSignal: controller.signal }),
    ).rejects.toThrow('gone');
    expect(model.doGenerateCalls.length).toBeLessThanOrEqual(2);
  });

  it('read no more of a huge message than the model can', async () => {
    const model = condensing(() => modelResult('short'));
    await run(options, model, {
      messages: [user('word '.repeat(200_000))],
      maxTranscriptTokens: 3000,
    });
    expect(promptText(model.doGenerateCalls[0]).length).toBeLessThan(5000);
  });
});
