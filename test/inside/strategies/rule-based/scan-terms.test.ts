import { describe, expect, it } from 'vitest';
import { scanTerms } from '../../../../src/strategies/rule-based/terms/scan-terms.ts';

function terms(text: string, withWords = false): readonly string[] {
  const found: string[] = [];
  scanTerms(text, withWords, (kind, start, end) => found.push(`${kind} ${text.slice(start, end)}`));
  return found;
}

describe('scanTerms', () => {
  it.each<[string, readonly string[]]>([
    ['open tests/missing_colon.py,', ['path tests/missing_colon.py', 'file missing_colon.py']],
    ['see https://x.dev/a/b?c=1#L4.', ['url https://x.dev/a/b?c=1#L4']],
    ['mail me@x.co.uk; now', ['email me@x.co.uk']],
    ['on 2024-05-31.', ['date 2024-05-31']],
    ['flight HAT039', ['id HAT039']],
    ['FUN_0040060d', ['id FUN_0040060d']],
    ['fooBar and total_seconds', ['code fooBar', 'code total_seconds']],
    ['value.total_seconds()', ['code value.total_seconds', 'code total_seconds']],
    ['package.json', ['file package.json']],
    ['total: 1628 of $450 and 7890', ['amount 1628', 'amount 450', 'number 7890']],
    ['plain words only, 12.', []],
    ['a'.repeat(300), []],
  ])('finds in %j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it('finds names, words and pairs of characters where somebody speaks', () => {
    expect(terms('The firm Legend 你好世界', true)).toEqual([
      'word The',
      'word firm',
      'name Legend',
      'word 你好',
      'word 世界',
    ]);
  });

  it('reads the beginning of a sentence after a missing space', () => {
    expect(terms('a challenge.Every Monday', true)).toContain('word challenge');
  });
});
