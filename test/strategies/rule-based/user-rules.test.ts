import { describe, expect, it } from 'vitest';
import type { SourceText } from '../../../src/strategies/rule-based/texts/source-texts.ts';
import { findUserRules } from '../../../src/strategies/rule-based/facts/user-rules.ts';
import { noPauses } from '../../support/no-pauses.ts';

function said(...texts: readonly string[]): readonly SourceText[] {
  return texts.map((text, index) => ({ index, role: 'user', text }));
}

describe('findUserRules', () => {
  it.each([
    ['Never push to main.', true],
    ['Please do not use tabs.', true],
    ['Make sure the tests pass.', true],
    ['Use pnpm instead of npm.', true],
    ['不要删除任何文件。', true],
    ['What is the weather like?', false],
  ])('reads %j as a rule: %s', async (text, isRule) => {
    expect((await findUserRules(said(text), [], noPauses)).length > 0).toBe(isRule);
  });

  it('keeps the wording, on one line, and tells what is said of the user apart', async () => {
    expect(
      await findUserRules(said('Never   push\tto main.', 'I never fly on Sundays.'), [], noPauses),
    ).toEqual([
      { text: 'Never push to main.', rank: expect.any(Number), isRemark: false },
      { text: 'I never fly on Sundays.', rank: expect.any(Number), isRemark: true },
    ]);
  });

  it('lists a repeated rule once and does not end it at an abbreviation', async () => {
    const rules = await findUserRules(
      said('Avoid globals, e.g. window.', 'AVOID globals, e.g. window.'),
      ['avoid globals, e.g. window.'],
      noPauses,
    );
    expect(rules.map(({ text }) => text)).toEqual(['AVOID globals, e.g. window.']);
  });

  it('passes over lines of code and data', async () => {
    expect(await findUserRules(said(`only ${'x'.repeat(500)}`), [], noPauses)).toEqual([]);
  });
});
