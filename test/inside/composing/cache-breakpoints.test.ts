import { describe, expect, it } from 'vitest';
import { inheritedBreakpoint } from '../../../src/composing/place-summary.ts';
import type { Message } from '../../../src/index.ts';
import { user } from '../../support/prompt-messages.ts';

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
