import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  SummarizationOptionError,
  llmStrategy,
  type SummaryAttempt,
  type SummaryInput,
} from '../../../src/index.ts';
import {
  answer,
  content,
  conversation,
  promptText,
  record,
  summarizer,
  summaryInput,
  user,
} from './fixtures.ts';
import { errorOf, withTimers } from './watch.ts';

const good = answer({
  summary: 'The user asked for a migration.',
  keyPoints: ['Role billing_rw'],
  context: { constraints: [{ text: 'Never touch the audit tables', message: 0 }] },
});

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  const timersLeft = vi.getTimerCount();
  vi.useRealTimers();
  if (timersLeft > 0) throw new Error('a timer is left');
});

describe('llmStrategy', () => {
  it('asks once and returns the content and the usage', async () => {
    const model = summarizer([good]);
    const attempts: SummaryAttempt[] = [];
    const output = await withTimers(
      llmStrategy().summarize(
        summaryInput(model, { onAttempt: (attempt) => attempts.push(attempt) }),
      ),
    );
    expect(output).toMatchObject({
      content: {
        summary: 'The user asked for a migration.',
        keyPoints: ['Role billing_rw'],
        context: {
          constraints: ['Never touch the audit tables'],
          userWords: [
            expect.stringMatching(/^Please migrate the billing service to Postgres 16/),
            expect.stringMatching(/^The nightly job needs the new role billing_rw/),
          ],
        },
        origins: {
          constraints: [{ role: 'user', message: 0 }],
          userWords: [
            { role: 'user', message: 0 },
            { role: 'user', message: expect.any(Number) },
          ],
        },
      },
      usage: { inputTokens: 100, outputTokens: 10 },
    });
    expect(attempts).toEqual([{ model: 'mock:summarizer', outcome: 'ok' }]);
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('sends a constant system prompt, one user message, a schema, and nothing of the parent call', async () => {
    const model = summarizer([good]);
    const strategy = llmStrategy();
    await withTimers(strategy.summarize(summaryInput(model)));
    await withTimers(
      strategy.summarize(summaryInput(model, { messages: conversation.slice(0, 2) })),
    );
    const [first, second] = model.doGenerateCalls;
    expect(first?.prompt.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(first?.prompt[0]).toEqual(second?.prompt[0]);
    expect(first?.responseFormat).toMatchObject({ type: 'json' });
    expect([first?.tools, first?.toolChoice]).toEqual([undefined, undefined]);
    expect(JSON.stringify(first?.providerOptions)).toBe('{}');
    expect(promptText(first)).toContain('nightly job');
    expect(promptText(first)).not.toMatch(/\{(content|max_chars|prior_summary)\}/);
  });

  it('shows the previous record with ids, and merges by them', async () => {
    const model = summarizer([
      answer({
        summary: 'All so far.',
        resolved: ['a0'],
        superseded: ['k0'],
        keyPoints: ['Port is 9000'],
      }),
    ]);
    const previous = record(
      content({
        summary: 'Old narrative.',
        keyPoints: ['Port is 8443'],
        context: { actionItems: [{ task: 'Write docs' }], constraints: ['Never touch main'] },
      }),
    );
    const messages = [...conversation, user('The port is 9000 from now on.')];
    const output = await withTimers(
      llmStrategy().summarize(summaryInput(model, { messages, previous })),
    );
    const prompt = promptText(model.doGenerateCalls[0]);
    expect(prompt).toContain('"summary":"Old narrative."');
    expect(prompt).toContain('"k0":"Port is 8443"');
    expect(prompt).toContain('"a0":{"task":"Write docs"}');
    expect(output.content).toMatchObject({
      summary: 'All so far.',
      keyPoints: ['Port is 9000'],
      context: {
        actionItems: [],
        constraints: ['Never touch main'],
      },
    });
  });

  it('does not show the previous narrative when it may not be read', async () => {
    const model = summarizer([answer({ summary: 'Anew.' })]);
    const previous = record(content({ summary: 'Old narrative.', keyPoints: ['Port is 8443'] }));
    const output = await withTimers(
      llmStrategy().summarize(summaryInput(model, { previous, usePreviousNarrative: false })),
    );
    expect(promptText(model.doGenerateCalls[0])).not.toContain('Old narrative');
    expect(promptText(model.doGenerateCalls[0])).toContain('"k0":"Port is 8443"');
    expect(output.content).toMatchObject({
      summary: 'Anew.',
      keyPoints: ['Port is 8443'],
    });
  });

  it('leaves the previous content as it is when the messages hold no text', async () => {
    const model = summarizer([good]);
    const messages: SummaryInput['messages'] = [
      { role: 'assistant', content: [{ type: 'reasoning', text: 'thinking' }] },
    ];
    const previous = record(content({ keyPoints: ['a'] }));
    const strategy = llmStrategy();
    const output = await strategy.summarize(summaryInput(model, { messages, previous }));
    const { summary, keyPoints, context, origins } = previous;
    expect(output).toEqual({
      content: { summary, keyPoints, context, origins },
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    expect((await errorOf(strategy.summarize(summaryInput(model, { messages })))).reason).toBe(
      'not-smaller',
    );
    expect(model.doGenerateCalls).toHaveLength(0);
  });

  it('uses the prompts it was given', async () => {
    const model = summarizer([good]);
    const strategy = llmStrategy({
      prompts: { summary: { system: 'SYSTEM {content}', first: 'FIRST {content} {max_chars}' } },
    });
    await withTimers(strategy.summarize(summaryInput(model)));
    expect(model.doGenerateCalls[0]?.prompt[0]).toMatchObject({ content: 'SYSTEM {content}' });
    expect(promptText(model.doGenerateCalls[0])).toMatch(/^FIRST \[\{"i":0.*\] \d+$/s);
  });

  it.each([
    ['prompts.summary.first', { prompts: { summary: { first: 'no placeholder' } } }],
    ['prompts.summary.update', { prompts: { summary: { update: '{content}' } } }],
    ['models', { models: [] }],
  ])('refuses a wrong %s at construction', (option, options) => {
    const make = (): unknown => llmStrategy(options);
    expect(make).toThrow(SummarizationOptionError);
    expect(make).toThrow(option);
  });
});
