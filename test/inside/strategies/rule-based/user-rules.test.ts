import { describe, expect, it } from 'vitest';
import type { SourceText } from '../../../../src/strategies/rule-based/texts/source-texts.ts';
import { findUserRules } from '../../../../src/strategies/rule-based/facts/user-rules.ts';
import { noPauses } from '../../support/no-pauses.ts';

function said(...texts: readonly string[]): readonly SourceText[] {
  return texts.map((text, index) => ({ index, role: 'user', text }));
}

async function rulesIn(...texts: readonly string[]): Promise<readonly string[]> {
  return (await findUserRules(said(...texts), [], noPauses)).rules.map(({ text }) => text);
}

describe('findUserRules', () => {
  it.each([
    'Never push to main.',
    'Please do not use tabs.',
    'Make sure the tests pass.',
    'Use pnpm instead of npm.',
    'Use pnpm, not npm.',
    'Please write it in English, and not in French.',
    'You can look at other files, but don’t modify them.',
    'When you edit a file, always run the linter.',
    'The public API must not change.',
    'Every release should have a changeset.',
    'Commits have to be signed.',
    'Only the owners are allowed to publish.',
    'Files under `dist` may not be edited.',
    'From now on, answer in English.',
    'We never deploy on Fridays.',
    "I don't want you to push anything.",
    "I'd prefer direct flights, please.",
    '1. Avoid brute force.',
    '- Return only JSON.',
    'Schreibe niemals in die Produktionsdatenbank.',
    'Utilise toujours des tabulations.',
    'Никогда не удаляй файлы.',
    '不要删除任何文件。',
  ])('takes a rule as it was said: %s', async (text) => {
    expect(await rulesIn(text)).toEqual([text]);
  });

  it.each([
    'What is the weather like?',
    'It is Tuesday, not Monday.',
    'Use a map, not a list?',
    'Can you only show me the first page?',
    'I always wanted to see Rome.',
    "I don't remember the reservation ID.",
    'We have always been close.',
    'I have to leave at five.',
    'My grandmother never throws anything away.',
    'There must be a misunderstanding.',
    'Never mind.',
    "I can't wait to see it!",
    '> Never push to main.',
    '"Never push to main."',
    '// Never push to main',
    '# Only for tests',
    ' * Always call this first.',
    'if (only) { never(); }',
    '<p>You must be logged in</p>',
    'ERROR: you must be logged in',
    '1533: except FieldInstanceResolutionError as error:',
    'CommandSpec.parent("only", [ OptionSpec.string("never", "must") ])',
    '2024-05-31 12:00:00 do not retry',
  ])('takes no question, remark, quotation, code or log for a rule: %s', async (text) => {
    expect(await rulesIn(text)).toEqual([]);
  });

  it.each([
    ['between fences', '```\nNever push to main.\n```'],
    ['between tags', '<issue>\nThe server must answer.\n</issue>'],
    [
      'between the marks of a document',
      '--- DEMO ---\nAlways wait for feedback.\n--- END OF DEMO ---',
    ],
    ['of a forwarded message', '-----Original Message-----\nFrom: Jo\n\nNever call me again.'],
  ])('takes no rule from what is shown %s', async (_, shown) => {
    expect(await rulesIn(`Avoid globals.\n${shown}`)).toEqual(['Avoid globals.']);
  });

  it('takes what stands behind a document that was shown', async () => {
    expect(await rulesIn('<issue>\nIt must work.\n</issue>\nNever push to main.')).toEqual([
      'Never push to main.',
    ]);
  });

  it('keeps a sentence whole that goes on in the next line', async () => {
    expect(
      await rulesIn('Please never change anything in the database of the\ncustomers. Thank you.'),
    ).toEqual(['Please never change anything in the database of the customers.']);
  });

  it('tells where the sentences stand that have words of rules and are none', async () => {
    const texts = said('Hello. I never fly on Sundays.');
    const { rules, remarks } = await findUserRules(texts, [], noPauses);
    expect(rules).toEqual([]);
    expect(remarks.map(({ source, start, end }) => texts[source]?.text.slice(start, end))).toEqual([
      ' I never fly on Sundays.',
    ]);
  });

  it('takes no rule from what an earlier record quotes', async () => {
    const text = 'Never push to main.';
    const earlier: SourceText = { index: -1, role: 'memory', quotesUser: true, text };
    const { rules, remarks } = await findUserRules([earlier], [], noPauses);
    expect(rules).toEqual([]);
    expect(remarks).toHaveLength(1);
  });

  it('numbers rules in the order in which they were said, those of the earlier record first', async () => {
    const { rules } = await findUserRules(
      said('Always run the linter before you commit anything. Never push.'),
      ['Use pnpm.'],
      noPauses,
    );
    const inOrder = rules.toSorted((one, other) => one.order - other.order);
    expect(inOrder.map(({ text }) => text)).toEqual([
      'Use pnpm.',
      'Always run the linter before you commit anything.',
      'Never push.',
    ]);
  });

  it('lists a repeated rule once and does not end it at an abbreviation', async () => {
    const { rules } = await findUserRules(
      said('Avoid globals, e.g. window.', 'AVOID globals, e.g. window.'),
      ['avoid globals, e.g. window.'],
      noPauses,
    );
    expect(rules.map(({ text }) => text)).toEqual(['AVOID globals, e.g. window.']);
  });

  it('passes over lines of more than 400 characters', async () => {
    expect(await rulesIn(`never ${'x'.repeat(500)}`)).toEqual([]);
  });
});
