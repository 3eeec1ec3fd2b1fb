import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import {
  eraseConversation,
  explainSummarization,
  type SummarizationOptions,
} from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { chatModel } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryOf, textOf } from '../support/prompts.ts';
import { sealedText } from '../support/sealed-text.ts';
import { sharedStore } from '../support/shared-store.ts';
import { untyped } from '../support/untyped.ts';
import { setUp, type SetUp } from '../support/set-up.ts';

const options: SummarizationOptions = { announce: true, contextLength: 1000 };
const notice =
  '[notice] Soon the earlier messages of this conversation will be replaced by a summary. What must be kept word for word, write down now. [/notice]';

/** How often the notice stands in each prompt that was sent. */
function notices({ inner }: Pick<SetUp, 'inner'>): number[] {
  return promptsOf(inner).map((prompt) => JSON.stringify(prompt).split('[notice]').length - 1);
}

/** A conversation that grows by two small messages a call, from below nine tenths of the trigger on. */
async function grow(rig: SetUp, calls: number, opening = 'Question 0'): Promise<ModelMessage[]> {
  const messages = chat(13);
  messages[0] = user(`${opening}: ${words(0, 40)}`);
  for (let call = 0; call < calls; call += 1) {
    await generateText({ model: rig.model, messages });
    messages.push(
      assistant(`Yes ${call}. ${words(call, 1)}`),
      user(`And ${call}? ${words(call, 1)}`),
    );
  }
  return messages;
}

describe('announce', () => {
  it('says nothing where it is not asked for', async () => {
    const rig = setUp({ contextLength: 1000 });
    await grow(rig, 14);
    expect(rig.summarizer.doGenerateCalls).toHaveLength(1);
    expect(notices(rig)).toEqual(Array.from({ length: 14 }, () => 0));
  });

  it('tells the model once from nine tenths of the trigger to the summary, in the same place', async () => {
    const rig = setUp(options);
    await grow(rig, 14);
    const told = notices(rig);
    expect(told.join('')).toMatch(/^0+1{2,}0+$/);
    const prompts = promptsOf(rig.inner);
    const first = told.indexOf(1);
    const last = told.lastIndexOf(1);
    expect(textOf(prompts[first]?.at(-1))).toMatch(/^And .*\n\n\[notice\] [^[]+ \[\/notice\]$/s);
    for (let call = first; call < last; call += 1)
      expect(prompts[call + 1]?.slice(0, prompts[call]?.length)).toEqual(prompts[call]);
    // What was cached before the notice was there is cached still, but for the message that carries it.
    const before = prompts[first - 1] ?? [];
    expect(prompts[first]?.slice(0, before.length)).toEqual(before);
    expect(summaryOf(prompts[last + 1] ?? [])).toBeDefined();
    expect(JSON.stringify(rig.summarizer.doGenerateCalls)).not.toContain('[notice]');
  });

  it('tells it in the result of a tool within a loop', async () => {
    const rig = setUp(options);
    const messages = [user(`Look. ${words(1, 40)}`)];
    for (let step = 0; step < 12; step += 1) {
      messages.push(...toolStep(`s${step}`, words(step, 40)));
      await generateText({ model: rig.model, messages });
    }
    expect(notices(rig).join('')).toMatch(/^0+1+0+/);
    const prompt = promptsOf(rig.inner)[notices(rig).indexOf(1)];
    expect(prompt?.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'text', value: expect.stringMatching(/\n\n\[notice\] .*\]$/) } }],
    });
  });

  const outputs: [string, object, object | undefined][] = [
    [
      'json',
      { type: 'json', value: { lines: 7 } },
      { type: 'text', value: `{"lines":7}\n\n${notice}` },
    ],
    [
      'the json of an error',
      { type: 'error-json', value: [7] },
      { type: 'error-text', value: `[7]\n\n${notice}` },
    ],
    [
      'the text of an error',
      { type: 'error-text', value: 'no' },
      { type: 'error-text', value: `no\n\n${notice}` },
    ],
    [
      'a list of contents',
      { type: 'content', value: [{ type: 'text', text: 'a' }] },
      { type: 'content', value: [{ type: 'text', text: `a\n\n${notice}` }] },
    ],
    ['nothing where there is no text', { type: 'content', value: [] }, undefined],
    ['nothing where it was denied', { type: 'execution-denied', reason: 'no' }, undefined],
  ];
  it.each(outputs)(
    'keeps the result of a tool a legal one: %s',
    async (_name, output, expected) => {
      const rig = setUp(options);
      const [call, result] = toolStep('last', '');
      const [part] = Array.isArray(result?.content) ? result.content : [];
      const messages = [
        ...chat(13, 44),
        user('Go.'),
        call,
        { ...result, content: [{ ...part, output }] },
      ];
      await generateText({ model: rig.model, messages: untyped<ModelMessage[]>(messages) });
      expect(rig.events[0]).toMatchObject({ type: 'check', reason: 'announced' });
      expect(lastPrompt(rig.inner).at(-1)).toMatchObject({
        role: 'tool',
        content: [{ output: expected ?? output }],
      });
    },
  );

  it('stays while a summary is declined, and is gone when the conversation goes another way', async () => {
    const rig = setUp({ ...options, onBeforeSummarize: () => false });
    const messages = await grow(rig, 9);
    const told = notices(rig);
    expect(told.join('')).toMatch(/^0+1+$/);
    const other = [...messages];
    const carrying = promptsOf(rig.inner)[told.indexOf(1)]?.length ?? 0;
    other[carrying - 1] = user('Another word?');
    await generateText({ model: rig.model, messages: other.slice(0, carrying + 2) });
    const prompt = lastPrompt(rig.inner);
    expect(textOf(prompt[carrying - 1])).toBe('Another word?');
  });

  it.each([undefined, 'chat 1'])(
    'is told in the same place by every process that shares the store (id %s)',
    async (conversationId) => {
      const shared = sharedStore();
      const secret = 'a secret of the operator';
      const open = (): SetUp => setUp({ ...options, store: shared.open(), secret });
      const rigs = [open(), open()] as const;
      const messages = chat(13);
      const prompts: LanguageModelV4Prompt[] = [];
      for (let call = 0; call < 12; call += 1) {
        const rig = rigs[call % 2] ?? rigs[0];
        const summarization = conversationId === undefined ? {} : { conversationId };
        await generateText({ model: rig.model, messages, providerOptions: { summarization } });
        prompts.push(lastPrompt(rig.inner));
        messages.push(
          assistant(`Yes ${call}. ${words(call, 1)}`),
          user(`And ${call}? ${words(call, 1)}`),
        );
      }
      const told = prompts.map((prompt) => JSON.stringify(prompt).split('[notice]').length - 1);
      expect(told.join('')).toMatch(/^0+1{2,}0+$/);
      for (let call = told.indexOf(1); call < told.lastIndexOf(1); call += 1)
        expect(prompts[call + 1]?.slice(0, prompts[call]?.length)).toEqual(prompts[call]);

      const given = conversationId === undefined ? { messages } : { conversationId };
      await eraseConversation({ store: shared.open(), secret, ...given });
      const left = [...shared.entries.values()].map(({ value }) => sealedText(value));
      expect(left.filter((text) => text.startsWith('[{"of"'))).toEqual([]);
    },
  );

  it('tells conversations that open alike apart', async () => {
    const rig = setUp(options);
    await grow(rig, 5);
    const messages = [...chat(2), ...chat(11, 30)];
    messages[0] = user(`Question 0: ${words(0, 40)}`);
    await generateText({ model: rig.model, messages });
    expect(notices(rig).at(-1)).toBe(0);
  });

  it.each<[string, SummarizationOptions]>([
    ['no strategy', { strategy: 'none' }],
    ['too few messages for a summary', { minMessages: 1000 }],
  ])('says nothing of a summary that will not be made: %s', async (_name, more) => {
    const rig = setUp({ ...options, ...more });
    await grow(rig, 14);
    expect(new Set(notices(rig))).toEqual(new Set([0]));
  });

  it('is told by explainSummarization', async () => {
    const messages = [...chat(14, 44), user('Go on.')];
    const explained = await explainSummarization({ messages, model: chatModel(), options });
    expect(explained).toMatchObject({ act: 'none', reason: 'announced' });
  });
});
