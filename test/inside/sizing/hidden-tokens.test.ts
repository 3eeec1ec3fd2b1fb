import { describe, expect, it } from 'vitest';
import { hiddenTokens } from '../../../src/sizing/hidden-tokens.ts';

describe('hiddenTokens', () => {
  it.each<[string, readonly number[], number]>([
    ['nothing before a report', [], 0],
    ['what the only report leaves room for', [500], 500],
    ['the least of several reports', [500, 300, 400], 300],
    ['the first of four reports', [100, 500, 500, 500], 100],
    ['no report before the last four', [100, 500, 600, 700, 800], 500],
    ['none where a report is less than its texts', [500, -20], 0],
  ])('knows of %s', (_what, reports, expected) => {
    const hidden = hiddenTokens();
    for (const tokens of reports) hidden.learn('openai:gpt-5', tokens);
    expect(hidden.of('openai:gpt-5')).toBe(expected);
    expect(hidden.of('openai:gpt-4.1')).toBe(0);
  });
});
