import { generateText, type ModelMessage } from 'ai';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SummarizationEvent } from '../../src/index.ts';
import { loadTokenizer } from '../support/load-tokenizer.ts';
import { chat, words } from '../support/messages.ts';
import { chatModel, textResult } from '../support/models.ts';
import { setUp } from '../support/set-up.ts';

/** Lets the exact count end that comes after an answer; the tokenizer is there already. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

beforeAll(loadTokenizer);

/** How a text of so many tokens is written. */
type Script = (seed: number, tokens: number) => string;

const code: Script = (seed, tokens) =>
  Array.from({ length: tokens / 5 }, (_, line) => `x[${seed + line}]=f(${line});`).join('\n');

const chinese: Script = (seed, tokens) =>
  Array.from(
    { length: tokens },
    (_, place) => '河流市场花园镜子雷声篮子'[(seed + place * 7) % 12],
  ).join('');

/** A conversation in a script. */
function written(script: Script, count: number): ModelMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: script(index, 90),
  }));
}

/** How often a conversation is sent, from how many messages on, how many are new each time, and what is before them. */
interface GrowingChat {
  readonly calls?: number;
  readonly from?: number;
  readonly step?: number;
  readonly extra?: readonly ModelMessage[];
}

/**
 * Sends a conversation as it grows to a server, and says what the server was sent and what was noticed.
 *
 * @param report - Input tokens that the server reports of a prompt of so many characters, of which some are new.
 */
async function grow(
  report: (characters: number, added: number) => number | undefined,
  { calls = 6, from = 21, step = 2, extra = [] }: GrowingChat = {},
) {
  const inner = chatModel();
  const { usage: empty, ...result } = textResult('Understood.');
  const sent: number[] = [];
  inner.doGenerate = async ({ prompt }) => {
    const characters = JSON.stringify(prompt).length;
    const total = report(characters, characters - (sent.at(-1) ?? 0));
    sent.push(characters);
    return { ...result, usage: { ...empty, inputTokens: { ...empty.inputTokens, total } } };
  };
  const { model, events } = setUp({ contextLength: 100_000, strategy: 'none' }, { inner });
  for (let call = 0; call < calls; call += 1) {
    await generateText({ model, messages: [...extra, ...chat(from + call * step, 90)] });
    await settle();
  }
  const of = (type: SummarizationEvent['type']): readonly SummarizationEvent[] =>
    events.filter((event) => event.type === type);
  return { sent, warnings: of('warning'), learned: of('limit-learned') };
}

const data = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const image = { type: 'file', data, mediaType: 'image/png' } as const;
const picture: GrowingChat = { extra: [{ role: 'user', content: [image] }] };

/** What a server says that counts what is new alone. */
const ofNew = (_characters: number, added: number): number => Math.floor(added / 6);

describe('a server that cuts prompts without an error', () => {
  it('is noticed at the third call of which it reports as much, and not sent more from then on', async () => {
    const { sent, warnings, learned } = await grow((characters) =>
      Math.min(1000, Math.floor(characters / 6)),
    );
    expect(warnings).toMatchObject([{ code: 'silent-truncation', modelId: 'gpt-test' }]);
    expect(warnings[0]).toMatchObject({
      message: expect.stringMatching(/reports 1000 .*num_ctx.*contextLength/s),
    });
    expect(learned).toMatchObject([{ inputLimit: 1000, evidence: 'reported' }]);
    // Six characters of its JSON a token, at the least.
    expect(sent.slice(0, 3).every((characters) => characters > 8000)).toBe(true);
    expect(sent.slice(3).every((characters) => characters < 8000)).toBe(true);
  });

  it.each([
    ['English', words],
    ['code', code],
    ['Chinese', chinese],
  ])('is noticed at the third call that is cut, in %s', async (_name, script) => {
    const inner = chatModel();
    const { usage: empty, ...result } = textResult('Understood.');
    inner.doGenerate = async () => ({
      ...result,
      usage: { ...empty, inputTokens: { ...empty.inputTokens, total: 2050 } },
    });
    const { model, events } = setUp({ contextLength: 100_000, strategy: 'none' }, { inner });
    for (let call = 0; call < 3; call += 1)
      await generateText({ model, messages: written(script, 41 + 2 * call) });
    expect(events.filter(({ type }) => type === 'limit-learned')).toMatchObject([
      { inputLimit: 2050, evidence: 'reported' },
    ]);
  });

  it('is believed in no figure that is no size of a prompt, and never makes an error of a call', async () => {
    for (const figure of [10, 600]) {
      const inner = chatModel();
      const { usage: empty, ...result } = textResult('Understood.');
      inner.doGenerate = async () => ({
        ...result,
        usage: { ...empty, inputTokens: { ...empty.inputTokens, total: figure } },
      });
      const { model } = setUp({ contextLength: 100_000, strategy: 'none' }, { inner });
      for (let call = 0; call < 6; call += 1)
        await generateText({ model, messages: chat(21 + 2 * call, 90), maxRetries: 0 });
      const large = await generateText({ model, messages: chat(2, 3000).slice(0, 1) });
      expect(large.text).toBe('Understood.');
    }
  });

  it('is noticed where it keeps half of its context, give or take a message', async () => {
    let call = 0;
    const { learned } = await grow(() => 1000 + (call++ % 2) * 30);
    expect(learned).toMatchObject([{ evidence: 'reported' }]);
  });

  it.each([
    ['two calls', () => 1000, { calls: 2 }],
    ['all it was sent', (characters: number) => Math.floor(characters / 6)],
    ['more than 0.6 of it', (characters: number) => Math.floor(characters / 7), { calls: 12 }],
    ['what was new since the last call', ofNew, { calls: 12 }],
    ['what was new, of large turns', ofNew, { step: 10 }],
    ['nothing', () => undefined],
    ['none', () => 0],
    ['a file, whose tokens are its own affair', () => 1000, picture],
  ])('is not one that reports %s', async (_what, report, size?: GrowingChat) => {
    const { warnings, learned } = await grow(report, size);
    expect({ warnings, learned }).toEqual({ warnings: [], learned: [] });
  });
});
