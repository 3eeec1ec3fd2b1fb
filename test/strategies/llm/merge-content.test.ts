import { describe, expect, it } from 'vitest';
import { mergeContent } from '../../../src/strategies/llm/merge-content.ts';
import { answer, content } from './fixtures.ts';
import { noPauses } from '../../support/no-pauses.ts';

const previous = content({
  summary: 'Old narrative.',
  keyPoints: ['Port is 8443', 'Uses Postgres'],
  context: {
    participants: ['user'],
    decisions: ['Keep REST'],
    actionItems: [{ task: 'Write docs' }, { owner: 'Ann', task: 'Fix login' }],
    unresolved: ['Which region?', 'Why is CI red?'],
    domainEntities: ['src/a.ts'],
    constraints: ['Never touch main'],
  },
});

function merged(
  given: Parameters<typeof answer>[0],
  newText = '',
): ReturnType<typeof mergeContent> {
  return mergeContent({
    previous,
    answer: answer({ summary: 'New.', ...given }),
    newTexts: [newText],
    slices: noPauses,
  });
}

describe('mergeContent', () => {
  it('takes the answer as it is when nothing came before', async () => {
    const first = content({ summary: 'S.', keyPoints: ['b', 'a'], context: { decisions: ['d'] } });
    expect(
      await mergeContent({
        previous: undefined,
        answer: { ...first, resolved: ['k0'], superseded: ['d0'] },
        newTexts: [''],
        slices: noPauses,
      }),
    ).toEqual(first);
  });

  it('keeps every previous item and takes the new narrative', async () => {
    const result = await merged({});
    expect(result).toEqual({ ...previous, summary: 'New.' });
  });

  it('appends what is new, key points first', async () => {
    const result = await merged({
      keyPoints: ['Has TLS'],
      context: {
        decisions: ['Use gRPC'],
        actionItems: [{ task: 'Deploy' }],
        constraints: ['Only EU'],
      },
    });
    expect(result.keyPoints).toEqual(['Has TLS', 'Port is 8443', 'Uses Postgres']);
    expect(result.context.decisions).toEqual(['Keep REST', 'Use gRPC']);
    expect(result.context.actionItems.map(({ task }) => task)).toEqual([
      'Write docs',
      'Fix login',
      'Deploy',
    ]);
    expect(result.context.constraints).toEqual(['Never touch main', 'Only EU']);
  });

  it.each([
    ['a0', 'resolved', 'actionItems', 1],
    ['u1', 'resolved', 'unresolved', 1],
    ['k1', 'resolved', 'keyPoints', 1],
    ['d0', 'resolved', 'decisions', 1],
    ['e0', 'resolved', 'domainEntities', 1],
    ['p0', 'resolved', 'participants', 1],
    ['c0', 'resolved', 'constraints', 1],
    ['a0', 'superseded', 'actionItems', 1],
    ['u1', 'superseded', 'unresolved', 1],
    ['k1', 'superseded', 'keyPoints', 1],
    ['d0', 'superseded', 'decisions', 0],
    ['e0', 'superseded', 'domainEntities', 0],
    ['p0', 'superseded', 'participants', 0],
    ['c0', 'superseded', 'constraints', 0],
  ] as const)('%s %s leaves %s with %i items', async (id, list, field, left) => {
    const result = await merged({ [list]: [id] });
    const items = field === 'keyPoints' ? result.keyPoints : result.context[field];
    expect(items).toHaveLength(left);
  });

  it('ignores ids that do not exist', async () => {
    const ids = ['k9', 'a-1', 'x0', '', '__proto__', 'constructor', 'K0', 'a01', 'k1e0', ' k0'];
    const result = await merged({ resolved: ids, superseded: ids });
    expect(result).toEqual({ ...previous, summary: 'New.' });
  });

  it('keeps the older wording of what is said twice', async () => {
    const result = await merged({
      keyPoints: ['port  IS 8443', 'uses\u00a0postgres'],
      context: { decisions: ['KEEP  rest'], domainEntities: ['SRC/a.ts', 'src/b.ts', ' src/b.ts'] },
    });
    expect(result.keyPoints).toEqual(['Port is 8443', 'Uses Postgres']);
    expect(result.context.decisions).toEqual(['Keep REST']);
    expect(result.context.domainEntities).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('completes a task with the owner and date it did not have, and keeps tasks of others apart', async () => {
    const result = await merged({
      context: {
        actionItems: [
          { owner: 'Bob', task: 'write DOCS', due: 'Friday' },
          { owner: 'Cleo', task: 'Fix login' },
        ],
      },
    });
    expect(result.context.actionItems).toEqual([
      { owner: 'Bob', task: 'Write docs', due: 'Friday' },
      { owner: 'Ann', task: 'Fix login' },
      { owner: 'Cleo', task: 'Fix login' },
    ]);
  });

  it('does not let the same answer bring back what it resolved', async () => {
    const result = await merged({
      resolved: ['a0', 'u0', 'k0'],
      keyPoints: ['port is 8443'],
      context: { actionItems: [{ task: 'write docs' }], unresolved: ['which region?'] },
    });
    expect(result.context.actionItems).toEqual([{ owner: 'Ann', task: 'Fix login' }]);
    expect(result.context.unresolved).toEqual(['Why is CI red?']);
    expect(result.keyPoints).toEqual(['Uses Postgres']);
  });

  it('keeps at most 30 key points: the new, then those the new messages mention', async () => {
    const old = Array.from({ length: 30 }, (_, index) => `Fact ${index} about Thing${index}`);
    const result = await mergeContent({
      previous: content({ keyPoints: old }),
      answer: answer({ keyPoints: ['New one', 'New two'] }),
      newTexts: ['We looked at thing29 again.'],
      slices: noPauses,
    });
    expect(result.keyPoints).toHaveLength(30);
    expect(result.keyPoints.slice(0, 3)).toEqual(['New one', 'New two', 'Fact 29 about Thing29']);
    expect(result.keyPoints).not.toContain('Fact 28 about Thing28');
  });

  it('recognises mentions in scripts without spaces', async () => {
    const result = await mergeContent({
      previous: content({ keyPoints: ['天気は晴れ', '計画は東京から始まる'] }),
      answer: answer(),
      newTexts: ['東京の計画を変えたい'],
      slices: noPauses,
    });
    expect(result.keyPoints).toEqual(['計画は東京から始まる', '天気は晴れ']);
  });

  it('changes nothing it was given', async () => {
    const before = structuredClone(previous);
    await merged({ resolved: ['a0'], superseded: ['k0'], keyPoints: ['x'] });
    expect(previous).toEqual(before);
  });
});
