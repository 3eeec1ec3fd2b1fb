import { describe, expect, it } from 'vitest';
import { rankIdentifiers } from '../../../../../src/strategies/llm/checks/rank-identifiers.ts';
import { sourceTexts } from '../../../../../src/strategies/rule-based/texts/source-texts.ts';
import { noPauses } from '../../../support/no-pauses.ts';
import { toolCall, toolResult } from '../../../../strategies/llm/fixtures.ts';

describe('rankIdentifiers', () => {
  it('lists at most 200 of a patch that names 20,000 files, each path once', async () => {
    const patch = Array.from(
      { length: 20_000 },
      (_, index) => `*** Update File: src/folder_${index}/part_${index}.ts\n`,
    ).join('');
    const messages = [toolCall('apply_patch', { patch }), toolResult('apply_patch', 'ok')];
    const texts = await sourceTexts(messages, noPauses);
    const ranked = await rankIdentifiers(texts, true, noPauses);
    expect(ranked.length).toBeLessThanOrEqual(200);
    expect(ranked.length).toBeGreaterThan(0);
    expect(ranked).not.toContain('part_19999.ts');
    expect(ranked).not.toContain('folder_19999/part_19999.ts');
  });
});
