import { expect, it } from 'vitest';
import { userMessages, userQuoter } from '../../../../src/strategies/rule-based/user-words.ts';

it('the parts of a message are one text, and of a huge one its ends are read', () => {
  const huge = 'ab'.repeat(50_000);
  const texts = { ' One. \n': 1, 'Two. ': 1, [huge]: 2, [`${huge}x`]: 3 };
  const said = Object.entries(texts).map(([text, index]) => {
    return { text, index, role: 'user', kind: 'text' } as const;
  });
  const note = { index: 9, role: 'user', kind: 'note', text: 'Of the application.' } as const;
  const answer = { index: 9, role: 'assistant', kind: 'text', text: 'Of the model.' } as const;
  const read = userMessages([...said, note, answer], undefined, { positionOf: (at) => at + 5 });
  const half = huge.slice(50_000);
  const items = ['One.\nTwo.', huge, `${half} … ${half.slice(1)}x`];
  expect(read).toEqual(
    items.map((item, at) => ({ item, origin: { role: 'user', message: at + 6 } })),
  );
});

it('of the words of the user is quoted what is most likely to be asked for', async () => {
  const texts = `First of all this is what I have here. | The red crane stands in hall two.
    | Does the red crane stand in hall two? | Yes, go on. | The old crane must stand in hall one.
    | must(x).y = [1, 2, 3]; | - — - — - — - — - — -`;
  const said = texts.split('|').map((text, message) => {
    return { item: text.trim(), origin: { role: 'user', message } } as const;
  });
  const quoteUser = await userQuoter(said, 1000);
  const quoted = (maxTokens: number, roomTokens = maxTokens): string => {
    const places = quoteUser(maxTokens, roomTokens).map(({ origin }) => origin.message);
    return `${maxTokens}: ${places.join(' ')}`;
  };
  const budgets = [4, 6, 9.5, 11, 16, 20, 24, 28, 34, 38, 44, 48, 60];
  const all = [quoted(0, 10), quoted(0, 20), ...budgets.map((budget) => quoted(budget))];
  expect(all.join(', ')).toBe(
    '0: , 0: 4, 4: , 6: 3, 9.5: 1, 11: 4, 16: 3 4, 20: 1 4, 24: 0 4, 28: 0 3 4, 34: 0 1 4, ' +
      '38: 0 1 3 4, 44: 0 3 4 5, 48: 0 4 5 6, 60: 0 1 3 4 5 6',
  );
});
