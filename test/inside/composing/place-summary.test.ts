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
  const part = { type: 'text', text: 'a', providerOptions: short } as const;
  const onPart: Message = { role: 'user', content: [part, part] };
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
      [first, marked(system('two\n\nSUMMARY'), short), ...rest],
    ],
    ['merged, where there is none', { placement: 'system-merged', systems: [] }, [own, ...rest]],
    [
      'merged, beside one of settings',
      { placement: 'system-merged', systems: [first, settings] },
      [system('one\n\nSUMMARY'), settings, ...rest],
    ],
    ['folded', { placement: 'user' }, [first, second, folded('anchor'), answer, question]],
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
    const systems = [first, second];
    const stay = { summarised: [], systems, kept: [anchor], recent: [answer, question] };
    const prompt = injectSummary({ text: 'SUMMARY', placement: 'system', ...stay, ...given });
    expect(prompt).toEqual(expected);
    // Messages that are kept are sent as they were given.
    for (const message of rest.filter((each) => expected.includes(each)))
      expect(prompt).toContain(message);
  });
});

describe('resolvePlacement', () => {
  const openai = 'gpt-4.1-mini o4-mini chatgpt-4o-latest codex-mini-latest ft:gpt-4o:acme::1';

  it.each([
    ['openai.responses azure.responses anthropic.messages google.generative-ai', 'gpt-5', 'system'],
    ['google.vertex.chat vertex.anthropic.messages amazon-bedrock', 'gpt-5', 'system'],
    ['mistral.chat xai.chat groq.chat deepseek.chat cohere.chat gateway', 'gpt-5', 'system'],
    ['openai-compatible.chat ollama.chat lmstudio.chat vllm', 'gpt-5', 'system-merged'],
    ['fireworks.chat togetherai.chat something-new constructor', 'gpt-5', 'system-merged'],
    // What is OpenAI's own behind its package.
    ['openai.chat', openai, 'system'],
    ['openai.chat', 'qwen3-32b gpt-oss-120b openai/gpt-4o', 'system-merged'],
  ])('places the summary of %s with %s as %s', (providers, modelIds, placement) => {
    for (const provider of providers.split(' '))
      for (const modelId of modelIds.split(' '))
        expect(resolvePlacement('auto', { provider, modelId }, {})).toBe(placement);
  });

  const chat = { provider: 'openai.chat', modelId: 'gpt-5' };
  const refusing = { provider: 'openai.chat', modelId: 'gpt-refusing' };

  const remove = { providerOptions: { openai: { systemMessageMode: 'remove' } } };

  it.each([
    ['system-merged', chat, remove, 'system-merged'],
    ['auto', chat, remove, 'user'],
    // Never back to a place that was refused.
    ['auto', refusing, {}, 'system-merged'],
    ['system', refusing, {}, 'system-merged'],
    ['user', refusing, {}, 'user'],
  ] as const)('takes %s of %j with %j as %s', (placement, model, given, expected) => {
    rememberPlacement(refusing, 'system-merged');
    expect(resolvePlacement(placement, model, given)).toBe(expected);
  });
});
