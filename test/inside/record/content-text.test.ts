import { describe, expect, it } from 'vitest';
import { emptyContent } from '../../support/empty-content.ts';
import { recordText } from '../../../src/record/content-items.ts';

describe('recordText', () => {
  it('is the narrative when there is nothing else', () => {
    expect(recordText(emptyContent('They talked.'))).toBe('They talked.');
  });

  it('lists what else there is', () => {
    const { context } = emptyContent('');
    const content = {
      summary: 'They talked.',
      keyPoints: ['One', 'Two\n  lines'],
      context: { ...context, actionItems: [{ task: 'Call', owner: 'Ann', due: 'Monday' }] },
    };
    expect(recordText(content)).toBe(
      'They talked.\n\n## Key points\n\n- One\n- Two lines\n\n## Action items\n\n- Call Ann Monday',
    );
  });
});
