import { describe, expect, it } from 'vitest';
import {
  countCacheBreakpoints,
  inheritedBreakpoint,
} from '../../../src/composing/place-summary.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';

const short = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const long = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } };
const point = { bedrock: { cachePoint: { type: 'default' } } };

function marked(message: Message, providerOptions: Message['providerOptions']): Message {
  return { ...message, ...(providerOptions === undefined ? {} : { providerOptions }) };
}

const onPart: Message = {
  role: 'user',
  content: [
    { type: 'text', text: 'a', providerOptions: short },
    { type: 'text', text: 'b', providerOptions: short },
  ],
};

describe('countCacheBreakpoints', () => {
  it.each([
    ['none', [user('a'), assistant('b')], 0],
    ['those of messages', [marked(user('a'), short), marked(assistant('b'), long)], 2],
    ['that of a system message', [marked(system('a'), short)], 1],
    ['those of parts', [onPart], 2],
    ['those of a message and its parts', [marked(onPart, long)], 3],
    ['the other spelling', [marked(user('a'), { anthropic: { cache_control: {} } })], 1],
    ["Bedrock's", [marked(user('a'), point)], 1],
    ['no other option', [marked(user('a'), { openai: { cacheControl: {} } })], 0],
  ])('counts %s', (_name, messages, count) => {
    expect(countCacheBreakpoints(messages)).toBe(count);
  });
});

describe('inheritedBreakpoint', () => {
  const four = [short, short, short, short].map((options) => marked(user('a'), options));
  it.each([
    ['nothing to inherit', [user('a')], [], undefined],
    ['the last of several', [marked(user('a'), short), marked(user('b'), long)], [], long],
    ['one of a part', [onPart, user('b')], [], short],
    [
      'only what marks a breakpoint',
      [marked(user('a'), { ...point, openai: { user: 'u' } })],
      [],
      point,
    ],
    [
      'one spelling for both',
      [marked(user('a'), { anthropic: { cache_control: { type: 'ephemeral' } } })],
      [],
      short,
    ],
    ['one beside three', [marked(user('a'), long)], four.slice(1), long],
    ['none beside four', [marked(user('a'), long)], four, undefined],
  ])('gives %s', (_name, covered, kept, inherited) => {
    expect(inheritedBreakpoint(covered, kept)).toEqual(inherited);
  });
});
