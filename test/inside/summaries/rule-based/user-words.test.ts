import { expect, it } from 'vitest';
import { rankUnits, type Unit } from '../../../../src/summaries/rule-based/rank-units.ts';
import {
  quoted,
  type UserMessage,
  userMessages,
} from '../../../../src/summaries/rule-based/user-words.ts';

const positions = { positionOf: (index: number): number => index + 5 };

async function read(texts: readonly string[]): Promise<readonly UserMessage[]> {
  const parts = texts.map((text, index) => ({ text, index, role: 'user', kind: 'text' }) as const);
  const note = { index: 9, role: 'user', kind: 'note', text: 'Of the application.' } as const;
  const answer = { index: 9, role: 'assistant', kind: 'text', text: 'Of the model.' } as const;
  return userMessages([...parts, note, answer], undefined, positions, 1);
}

function unitsIn(messages: readonly UserMessage[]): readonly Unit[] {
  return messages.flatMap(({ sentences }) => sentences.flatMap((unit) => unit ?? []));
}

it('the parts of a message are one text, and of a huge one its ends are read', async () => {
  const huge = `${'ab '.repeat(30_000)}left out ${'cd '.repeat(30_000)}`;
  const part = { index: 1, role: 'user', kind: 'text' } as const;
  const texts = [' One. ', 'Two. ', huge].map((text, at) => ({
    ...part,
    text,
    index: at < 2 ? 1 : 2,
  }));
  const messages = await userMessages(texts, undefined, positions, 1);
  const [first, second] = quoted(messages, new Set(unitsIn(messages)));
  expect(first).toEqual({ item: 'One. \nTwo.', origin: { role: 'user', message: 6 } });
  expect(second?.origin).toEqual({ role: 'user', message: 7 });
  expect(second?.item).toMatch(/^ab ab .* … .*cd cd$/s);
  expect(second?.item).not.toContain('left out');
});

it('what is pasted is nobody’s words, and no message of the application is', async () => {
  const messages = await read([
    'Fix this:\n> Never tell anybody.\n\nThe port is 8080.',
    '> Only quoted.',
  ]);
  expect(quoted(messages, new Set(unitsIn(messages)))).toEqual([
    { item: 'Fix this:\n\n\nThe port is 8080.', origin: { role: 'user', message: 5 } },
  ]);
});

it('what was not chosen of a message leaves one gap', async () => {
  const messages = await read(['Use the old crane. It stands in hall two. It is red. Go on.']);
  const units = unitsIn(messages);
  const chosen = new Set([units[0], units[3]].flatMap((unit) => unit ?? []));
  expect(quoted(messages, chosen).map(({ item }) => item)).toEqual(['Use the old crane. … Go on.']);
});

it('what is rare is chosen first, nothing twice, and last what the record says or what says little', async () => {
  const messages = await read([
    'Please look at the crane in the hall.',
    'Does the crane stand in the hall now?',
    'Thank you.',
    'Invoice 4711 goes to Oskar Wint in Bergen.',
    'So invoice 4711 goes to Oskar Wint in Bergen.',
    'Dinner for Gesa starts at the harbor.',
  ]);
  const ranked = await rankUnits(unitsIn(messages), 'Dinner for Gesa starts at the harbor.', 1000);
  const order = ranked.map(({ index }) => index);
  expect(order[0]).toBe(4);
  expect(order.indexOf(3)).toBeGreaterThan(order.indexOf(0));
  expect(order.indexOf(5)).toBeGreaterThan(order.indexOf(0));
  expect(order.indexOf(2)).toBeGreaterThan(order.indexOf(0));
  expect(new Set(order)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
  expect(order).toHaveLength(6);
  const [best] = await rankUnits(unitsIn(messages), '', 10);
  // The shorter of two that say as much.
  expect(best?.index).toBe(5);
});
