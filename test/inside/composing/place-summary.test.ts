import { describe, expect, it } from 'vitest';
import {
  inheritedBreakpoint,
  injectSummary,
  rememberPlacement,
  resolvePlacement,
  type Injection,
} from '../../../src/composing/place-summary.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';

type Options = NonNullable<Message['providerOptions']>;

const marked = <Given extends Message>(message: Given, providerOptions: Options): Given => ({
  ...message,
  providerOptions,
});
const cached = (more = {}): Options => ({
  anthropic: { cacheControl: { type: 'ephemeral', ...more } },
});
const short = cached();
const long = cached({ ttl: '1h' });

describe('inheritedBreakpoint', () => {
  const four = [short, short, short, short].map((options) => marked(user('a'), options));
  const point = { bedrock: { cachePoint: { type: 'default' } } };
  const spelled = { anthropic: { cache_control: { type: 'ephemeral' } } };
  const text = { type: 'text', providerOptions: short } as const;
  const onPart: Message = {
    role: 'user',
    content: [
      { ...text, text: 'a' },
      { ...text, text: 'b' },
    ],
  };
  it.each([
    ['the last of several', [marked(user('a'), short), marked(user('b'), long)], [], long],
    ['one of a part', [onPart, user('b')], [], short],
    ['what marks one', [marked(user('a'), { ...point, openai: { user: 'u' } })], [], point],
    ['one spelling for both', [marked(user('a'), spelled)], [], short],
    ['none beside four', [marked(user('a'), long)], four, undefined],
  ])('gives %s', (_name, covered, kept, inherited) => {
    expect(inheritedBreakpoint(covered, kept)).toEqual(inherited);
  });
});

describe('injectSummary', () => {
  const first = system('one');
  const second = marked(system('two'), short);
  const settings = marked(system(''), { openai: { reasoningEffortUpdate: 'high' } });
  const [anchor, answer, question] = [user('anchor'), assistant('answer'), user('question')];
  const own = system('SUMMARY');
  const merged = (message: Message, text: string): Message =>
    Object.assign({ ...message }, { content: text });
  const folded = (...texts: readonly string[]): Message => ({
    role: 'user',
    content: ['SUMMARY', ...texts].map((text) => ({ type: 'text', text })),
  });
  const rest = [anchor, answer, question];

  it.each<[string, Partial<Injection>, readonly Message[]]>([
    ['a message of its own', {}, [first, second, own, ...rest]],
    [
      'merged into the last system message',
      { placement: 'system-merged' },
      [first, merged(second, 'two\n\nSUMMARY'), ...rest],
    ],
    ['merged, where there is none', { placement: 'system-merged', systems: [] }, [own, ...rest]],
    [
      'merged, beside one of settings',
      { placement: 'system-merged', systems: [first, settings] },
      [merged(first, 'one\n\nSUMMARY'), settings, ...rest],
    ],
    [
      'folded into the anchor',
      { placement: 'user' },
      [first, second, folded('anchor'), answer, question],
    ],
    [
      'the first user message where there is none',
      { placement: 'user', kept: [], recent: [answer] },
      [first, second, folded(), answer],
    ],
    [
      'with the breakpoint of what it stands for',
      { systems: [], summarised: [marked(user('a'), long)] },
      [marked(own, long), ...rest],
    ],
  ])('places a summary as %s', (_name, given, expected) => {
    const placed = {
      text: 'SUMMARY',
      placement: 'system',
      summarised: [],
      kept: [anchor],
    } as const;
    const prompt = injectSummary({
      ...placed,
      systems: [first, second],
      recent: [answer, question],
      ...given,
    });
    expect(prompt).toEqual(expected);
    // Messages that are kept are sent as they were given.
    for (const message of rest.filter((each) => expected.includes(each)))
      expect(prompt).toContain(message);
  });
});

describe('resolvePlacement', () => {
  it.each([
    ['openai.responses azure.responses anthropic.messages google.generative-ai', 'system'],
    ['google.vertex.chat vertex.anthropic.messages amazon-bedrock mistral.chat', 'system'],
    ['xai.chat groq.chat deepseek.chat cohere.chat gateway', 'system'],
    ['openai-compatible.chat ollama.chat lmstudio.chat vllm fireworks.chat', 'system-merged'],
    ['togetherai.chat something-new constructor', 'system-merged'],
  ])('places the summary of %s as %s', (providers, placement) => {
    for (const provider of providers.split(' '))
      expect(resolvePlacement('auto', { provider, modelId: 'gpt-5' }, {})).toBe(placement);
  });

  it.each([
    ['gpt-4.1-mini o4-mini chatgpt-4o-latest codex-mini-latest ft:gpt-4o:acme::1', 'system'],
    ['qwen3-32b gpt-oss-120b openai/gpt-4o', 'system-merged'],
  ])('knows what is OpenAI’s own behind its package: %s', (modelIds, placement) => {
    for (const modelId of modelIds.split(' '))
      expect(resolvePlacement('auto', { provider: 'openai.chat', modelId }, {})).toBe(placement);
  });

  const chat = { provider: 'openai.chat', modelId: 'gpt-5' };
  const remove = { systemMessageMode: 'remove' };

  it.each([
    ['system-merged', { providerOptions: { openai: remove } }, 'system-merged'],
    ['auto', { providerOptions: { openai: remove } }, 'user'],
  ] as const)('takes %s with %j as %s', (placement, given, expected) => {
    expect(resolvePlacement(placement, chat, given)).toBe(expected);
  });

  it.each([
    ['auto', 'system-merged'],
    ['system', 'system-merged'],
    ['user', 'user'],
  ] as const)('never goes back to a place that was refused: %s', (placement, expected) => {
    const refusing = { provider: 'openai.chat', modelId: 'gpt-refusing' };
    rememberPlacement(refusing, 'system-merged');
    expect(resolvePlacement(placement, refusing, {})).toBe(expected);
  });
});
