import { expect, it } from 'vitest';
import { emptiedContent } from '../../../../src/foundations/record/content-items.ts';
import { content } from '../../../strategies/llm/fixtures.ts';

it('a summary without room for its texts keeps the rules of the user, which no prompt shows', () => {
  const rules = { constraints: ['Never.', 'Always.'], userQuotes: ['Go on.'] };
  const given = content({ keyPoints: ['A'], context: { decisions: ['B'], ...rules } });
  const context = { ...rules, unshownConstraints: [0, 1] };
  const left = content({ summary: 'Left out.', context });
  expect(emptiedContent('Left out.', given)).toMatchObject(left);
});
