import { describe, expect, it } from 'vitest';
import {
  llmStrategy,
  type Message,
  type SummaryAttempt,
  type SummaryInput,
} from '../../../src/index.ts';
import {
  answer,
  content,
  conversation,
  modelResult,
  promptText,
  record,
  summarizer,
  summaryInput,
  toolCall,
  toolResult,
} from './fixtures.ts';
import { assistant, user } from '../../support/prompt-messages.ts';
import { errorOf, failure, withFakeTimers, withTimers, written } from './watch.ts';

const good = answer({
  summary: 'The user asked for a migration.',
  keyPoints: ['Role billing_rw'],
  context: { constraints: [{ text: 'Never touch the audit tables', message: 0 }] },
});

withFakeTimers();

describe('llmStrategy', () => {
  it('asks once and returns the content and the usage', async () => {
    const model = summarizer([good]);
    const attempts: SummaryAttempt[] = [];
    const output = await written(model, { onAttempt: (attempt) => attempts.push(attempt) });
    expect(output).toMatchObject({
      content: {
        summary: 'The user asked for a migration.',
        keyPoints: ['Role billing_rw'],
        context: {
          constraints: ['Never touch the audit tables.'],
          userQuotes: [
            expect.stringMatching(/^Please migrate the billing service to Postgres 16/),
            expect.stringMatching(/^The nightly job needs the new role billing_rw/),
          ],
        },
        origins: {
          constraints: [{ role: 'user', message: 0 }],
          userQuotes: [
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

  it('shows the previous record, of which constraints alone stay by themselves', async () => {
    const model = summarizer([
      answer({
        summary: 'All so far.',
        keyPoints: ['Port is 9000', 'never touch  MAIN', 'all is well', 'All is  well.'],
        context: {
          actionItems: [{ task: 'write docs' }, { task: 'Ship it' }],
          decisions: ['Ferries'],
        },
      }),
    ]);
    const previous = record(
      content({
        summary: 'Old narrative.',
        keyPoints: ['Port is 8443', 'The port is open', 'All is well'],
        context: {
          actionItems: [{ task: 'Write docs' }, { task: 'Test it' }],
          constraints: ['Never touch main'],
          decisions: ['Trains', 'Buses'],
        },
      }),
    );
    const messages = [...conversation, user('The port is 9000 from now on.')];
    const output = await written(model, { messages, previous });
    const prompt = promptText(model.doGenerateCalls[0]);
    expect(prompt).toContain('"summary":"Old narrative."');
    expect(prompt).toContain('"constraints":{"c0":"Never touch main"}');
    expect(prompt).toContain('"keyPoints":["Port is 8443","The port is open","All is well"]');
    expect(prompt).toContain('"actionItems":[{"task":"Write docs"},{"task":"Test it"}]');
    expect(output.content).toMatchObject({
      summary: 'All so far.',
      // What stands as a constraint, or once already, is not said again.
      keyPoints: ['Port is 9000', 'all is well'],
      context: {
        actionItems: [{ task: 'write docs' }, { task: 'Ship it' }],
        constraints: ['Never touch main'],
        decisions: ['Ferries'],
      },
    });
  });

  it('does not show the previous narrative when it may not be read', async () => {
    const model = summarizer([answer({ summary: 'Anew.', keyPoints: ['Port is 8443'] })]);
    const previous = record(content({ summary: 'Old narrative.', keyPoints: ['Port is 8443'] }));
    const output = await written(model, { previous, usePreviousNarrative: false });
    expect(promptText(model.doGenerateCalls[0])).not.toContain('Old narrative');
    expect(promptText(model.doGenerateCalls[0])).toContain('{"keyPoints":["Port is 8443"]}');
    expect(output.content).toMatchObject({ summary: 'Anew.', keyPoints: ['Port is 8443'] });
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
    expect(output).toMatchObject({
      content: { summary, keyPoints, context, origins },
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    expect((await errorOf(strategy.summarize(summaryInput(model, { messages })))).reason).toBe(
      'not-smaller',
    );
    expect(model.doGenerateCalls).toHaveLength(0);
  });
});

const goodJson = JSON.stringify(good);

describe('answers of a model', () => {
  it('reads no more of an answer than a summary can have', async () => {
    const padded = (length: number): string => goodJson + ' '.repeat(length - goodJson.length);
    const read = summarizer([modelResult(padded(400_000))]);
    const output = await written(read);
    expect(output.content.keyPoints).toEqual(['Role billing_rw']);
    const error = await failure(summarizer([modelResult('['.repeat(2_000_000))]));
    expect(error.reason).toBe('invalid-output');
  });

  it.each([
    ['a fence', `\`\`\`json\n${goodJson}\n\`\`\`\n`],
    ['a fence with words around it', `Here:\n\`\`\`\n${goodJson}\n\`\`\`\nAnything else?`],
    ['words behind it', `${goodJson}\n\nThat is all {of it}.`],
    ['a tag before it', `<analysis>x</analysis>${goodJson}`],
    ['thoughts before it', `<think>{"summary":"A draft."}</think>\n${goodJson}`],
    ['the end of a thought', `So I write {"summary":"A draft."}.</think>${goodJson}`],
    ['a token of its template', `${goodJson}<|im_end|>`],
    ['a list around it', `[${goodJson}]`],
    ['an object around it', `{"record":${goodJson}}`],
    ['its last brace missing', goodJson.slice(0, -1)],
    ['a broken one before it', `{"summary": "A draft", oops} ${goodJson}`],
  ])('are read with %s', async (_, text) => {
    const model = summarizer([modelResult(text)]);
    const { content: made } = await written(model);
    expect([made.summary, made.keyPoints]).toEqual([good.summary, ['Role billing_rw']]);
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it.each(['stop', 'length', 'other'] as const)(
    'count that came as a whole, when they ended with %s',
    async (finishReason) => {
      const model = summarizer([modelResult(goodJson, finishReason)]);
      const output = await written(model);
      expect(output.content.summary).toBe(good.summary);
    },
  );

  const unusable = [
    ['malformed JSON', '{"summary": "a'],
    ['no text', ''],
    ['an empty summary', JSON.stringify(answer({ summary: ' \n' }))],
    ['JSON of another form', '{"text":"x"}'],
    ['a __proto__ key', '{"__proto__":{"summary":{"polluted":1}},"text":"x"}'],
    ['a thought without an end', `<think>${goodJson}`],
  ] as const;
  const refusals = ['content-filter', 'tool-calls', 'error'] as const;
  const cutShort = ['length', 'other', ...refusals] as const;

  it.each([
    ...unusable.map(([name, text]) => ['stop', name, text] as const),
    ...cutShort.map((finishReason) => [finishReason, ...unusable[0]] as const),
    ...refusals.map((finishReason) => [finishReason, 'valid JSON', goodJson] as const),
  ])('that end with %s are rejected without another call: %s', async (finishReason, _, text) => {
    const model = summarizer([modelResult(text, finishReason)]);
    const other = summarizer([good], 'other');
    const attempts: SummaryAttempt[] = [];
    const onAttempt = (attempt: SummaryAttempt): void => void attempts.push(attempt);
    const error = await failure(model, { onAttempt }, { models: [model, other] });
    expect([error.reason, error.retryable]).toEqual(['invalid-output', false]);
    expect(error.message).toContain(finishReason === 'stop' ? 'the answer' : finishReason);
    expect(attempts).toMatchObject([{ model: 'mock:summarizer', outcome: 'invalid-output' }]);
    expect([model.doGenerateCalls.length, other.doGenerateCalls.length]).toEqual([1, 0]);
    expect('polluted' in {}).toBe(false);
  });

  it('say the same once', async () => {
    const keyPoints = Array.from({ length: 200 }, () => 'The same point again.');
    const output = await written(summarizer([answer({ keyPoints })]));
    expect(output.content.keyPoints).toEqual(['The same point again.']);
  });
});

describe('a turn that goes on', () => {
  const step = [toolCall('bash', { command: 'npm test' }), toolResult('bash', '3 failed')];
  const note = 'are the beginning of a turn that goes on';

  async function requestFor(
    messages: readonly Message[],
    previous?: ReturnType<typeof record>,
  ): Promise<string> {
    const model = summarizer([answer()]);
    await written(model, { messages, previous });
    return promptText(model.doGenerateCalls[0]);
  }

  it('is told apart from the conversation before it', async () => {
    const request = await requestFor([...conversation, ...step]);
    expect(request).toContain(`The message with the number 2 and those behind it ${note}`);
  });

  it('is found by its number behind an earlier record', async () => {
    const messages = [user('Please run all tests of the billing service. '.repeat(20)), ...step];
    const request = await requestFor(messages, { ...record(content()), coveredMessages: 7 });
    expect(request).toContain(`The message with the number 7 and those behind it ${note}`);
  });

  it.each([
    ['the end is an answer', [...conversation, ...step, assistant('All tests pass.')]],
    ['the end is a question of the user', conversation],
    ['all of it is one turn', [user('Please run all tests. '.repeat(40)), ...step]],
  ])('is none where %s', async (_name, messages) => {
    expect(await requestFor([...messages])).not.toContain(note);
  });
});
