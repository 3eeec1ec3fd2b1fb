import type { JSONValue } from 'ai';
import { expect, it } from 'vitest';
import { chat, toolStep, user } from '../support/messages.ts';
import { called, eventsOf } from '../support/set-up.ts';

it.each(['json', 'text'] as const)(
  'a tool output of 3,000 levels, as %s, is summarized like any other',
  async (type) => {
    let value: JSONValue = 'core';
    for (let level = 0; level < 3000; level += 1) value = level % 2 === 0 ? [value] : { value };
    const output =
      type === 'json' ? { type, value } : { type, value: `${'['.repeat(3000)}${']'.repeat(3000)}` };
    const made = await called([user('Look.'), ...toolStep('1', output), ...chat(21)]);
    expect(eventsOf(made, 'failed')).toEqual([]);
    expect(eventsOf(made, 'applied')).toHaveLength(1);
  },
);
