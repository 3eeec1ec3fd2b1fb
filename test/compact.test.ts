import { generateText, isStepCount, jsonSchema, type ModelMessage, tool } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { compact, readCompactCommand } from '../src/index.ts';
import { chat } from './support/messages.ts';
import { answer, chatModel, summarizerModel } from './support/models.ts';
import { lastPrompt, summaryOf } from './support/prompts.ts';
import { called } from './support/set-up.ts';
import { callOf, contentModel } from './support/tool-loop-model.ts';

let namespaces = 0;

/** Options of a test of its own: what was compacted before is found again in the whole process. */
const options = (summarizer = summarizerModel()) => ({
  contextLength: 1000,
  namespace: `compact ${(namespaces += 1)}`,
  summarizerModelPreference: summarizer,
});

describe('compact', () => {
  it('leaves messages alone that need nothing, and says why', async () => {
    // The SDK leaves out what is empty.
    const messages: ModelMessage[] = [...chat(5), { role: 'tool', content: [] }];
    const made = await compact({ messages, model: chatModel(), options: options() });
    const expected = { messages, record: undefined, reason: 'below-trigger', usage: { calls: 0 } };
    expect(made).toMatchObject(expected);
  });

  it('gives what the middleware sends: a summary, and the given messages that stay', async () => {
    const messages = chat(31);
    const summarizer = summarizerModel(answer({ summary: 'They spoke of rivers.' }));
    const model = chatModel();
    const own = options(summarizer);
    const made = await compact({ messages, model, options: own });
    expect(made).toMatchObject({
      record: { summary: 'They spoke of rivers.' },
      usage: { calls: 1 },
    });
    const [summary, ...stayed] = made.messages;
    expect(messages.slice(-stayed.length)).toEqual(stayed);
    expect(messages).toContain(stayed.at(-1));
    const same = summarizerModel(answer({ summary: 'They spoke of rivers.' }));
    const prompt = lastPrompt((await called(messages, options(same))).inner);
    expect(prompt).toHaveLength(made.messages.length);
    expect(JSON.stringify(summary)).toContain('They spoke of rivers.');
    // The same messages again: a step of the same loop pays nothing.
    const again = await compact({ messages, model, options: own });
    expect(again.messages).toEqual(made.messages);
    expect(again.usage.calls).toBe(0);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('continues its own summary when it is given again with what has come since', async () => {
    const summarizer = summarizerModel(
      answer({ summary: 'They spoke of rivers.' }),
      answer({ summary: 'Then of boats.' }),
    );
    const system: ModelMessage = { role: 'system', content: 'Be brief.' };
    const given = { model: chatModel(), options: options(summarizer) };
    const first = await compact({ ...given, messages: [system, ...chat(31)] });
    expect(first.messages[0]).toBe(system);
    const stored: ModelMessage[] = JSON.parse(JSON.stringify(first.messages));
    const second = await compact({ ...given, messages: [...stored, ...chat(30).slice(10)] });
    expect(second.record).toMatchObject({ summary: 'Then of boats.', depth: 1 });
    const asked = JSON.stringify(summarizer.doGenerateCalls[1]?.prompt);
    expect(asked).toContain('They spoke of rivers.');
    expect(JSON.stringify(second.messages).split('[summary-depth')).toHaveLength(2);
    expect(second.messages[0]).toEqual(system);
  });

  it('compacts now with force, and looks to what it is told', async () => {
    const summarizer = summarizerModel();
    const background = vi.fn<() => void>();
    const own = { ...options(summarizer), contextLength: 100_000, background };
    const told = { force: true, instructions: 'keep the API design' };
    const made = await compact({ messages: chat(20), model: chatModel(), ...told, options: own });
    expect(background).not.toHaveBeenCalled();
    expect(made).toMatchObject({ reason: 'forced', record: { depth: 0 } });
    expect(JSON.stringify(summarizer.doGenerateCalls)).toContain('keep the API design');
  });

  it('leaves the messages as they are where no summary can be made, unless it is to throw', async () => {
    const messages = chat(31);
    const failing = summarizerModel(() => {
      throw new Error('gone');
    });
    const failed = { ...options(failing), fallbackStrategy: false } as const;
    const given = { messages, model: chatModel() };
    const made = await compact({ ...given, options: failed });
    expect(made).toMatchObject({ messages, record: undefined });
    const throwing = { ...failed, namespace: 'b', abortOnFailure: true };
    await expect(compact({ ...given, options: throwing })).rejects.toThrow('could not be used');
  });

  it('serves prepareStep: no step goes over the limit, and each summary is paid once', async () => {
    let steps = 0;
    const summarizer = summarizerModel();
    const own = options(summarizer);
    const inner = contentModel(() => {
      steps += 1;
      return [steps > 12 ? { type: 'text', text: 'Done.' } : callOf(`c${steps}`, 'read', {})];
    });
    const read = tool({
      inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
      execute: async () => `File ${steps}: ${'water '.repeat(80)}`,
    });
    await generateText({
      model: inner,
      prompt: 'Read the files.',
      tools: { read },
      stopWhen: isStepCount(20),
      prepareStep: async ({ messages }) => ({
        messages: (await compact({ messages, model: inner, options: own })).messages,
      }),
    });
    expect(steps).toBe(13);
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    expect(lastPrompt(inner).length).toBeLessThan(20);
    expect(summarizer.doGenerateCalls.length).toBeLessThan(8);
  });
});

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
});
