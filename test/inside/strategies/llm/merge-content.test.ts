import { describe, expect, it } from 'vitest';
import { contentOf, itemsOf } from '../../../../src/record/content-items.ts';
import type { Message, SummaryContent } from '../../../../src/index.ts';
import { mergeContent } from '../../../../src/strategies/llm/merge-content.ts';
import { messagePositions } from '../../../../src/strategies/messages/message-positions.ts';
import { answer, assistant, content, record, user } from '../../../strategies/llm/fixtures.ts';

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

const said: readonly Message[] = [user('We deploy from main.'), assistant('Done.')];

function merged(
  given: Parameters<typeof answer>[0],
  old: SummaryContent = previous,
): SummaryContent {
  const { constraints, replacedConstraints, openRequests } = itemsOf(old);
  return mergeContent({
    previous: old,
    answer: answer({ summary: 'New.', ...given }),
    positions: messagePositions({ messages: said, previous: record(old) }),
    ofUser: { constraints, replacedConstraints, openRequests },
    demoted: [],
  });
}

/** A content with the origins and the lists that it was given without. */
function whole(given: SummaryContent): SummaryContent {
  return contentOf(given, itemsOf(given));
}

describe('mergeContent', () => {
  it('takes the answer as it is when nothing came before', () => {
    const given = { summary: 'S.', keyPoints: ['b', 'a'], context: { decisions: ['d'] } };
    expect(merged({ ...given, resolved: ['k0'], superseded: ['d0'] }, content())).toEqual(
      whole(content(given)),
    );
  });

  it('stamps what is new with the message that it cites, as far as there is one', () => {
    const result = merged({
      keyPoints: [
        { text: 'Deploys from main', message: 1 },
        { text: 'It is done', message: 2 },
        { text: 'Nobody said so', message: 3 },
        { text: 'Cites what it has not read', message: 0 },
        { text: 'Cites nothing' },
      ],
      context: {
        actionItems: [{ task: 'Deploy', message: 2 }],
        decisions: [{ text: 'keep  REST', message: 1 }],
      },
    });
    expect(result.origins?.keyPoints).toEqual([
      { role: 'user', message: 1 },
      { role: 'assistant', message: 2 },
      ...Array.from({ length: 5 }, () => ({ role: 'model' })),
    ]);
    expect(result.origins?.actionItems?.at(-1)).toEqual({ role: 'assistant', message: 2 });
    expect(result.origins?.decisions).toEqual([{ role: 'model' }]);
  });

  it('keeps every previous item and takes the new narrative', () => {
    const result = merged({});
    expect(result).toEqual(whole({ ...previous, summary: 'New.' }));
  });

  it('appends what is new, key points first', () => {
    const result = merged({
      keyPoints: ['Has TLS'],
      context: {
        decisions: ['Use gRPC'],
        actionItems: [{ task: 'Deploy' }],
      },
    });
    expect(result.keyPoints).toEqual(['Has TLS', 'Port is 8443', 'Uses Postgres']);
    expect(result.context.decisions).toEqual(['Keep REST', 'Use gRPC']);
    expect(result.context.actionItems.map(({ task }) => task)).toEqual([
      'Write docs',
      'Fix login',
      'Deploy',
    ]);
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
    ['c0', 'superseded', 'constraints', 1],
  ] as const)('%s %s leaves %s with %i items', (id, list, field, left) => {
    const result = merged({ [list]: [id] });
    const items = field === 'keyPoints' ? result.keyPoints : result.context[field];
    expect(items).toHaveLength(left);
  });

  it('ignores ids that do not exist', () => {
    const ids = ['k9', 'a-1', 'x0', '', '__proto__', 'constructor', 'K0', 'a01', 'k1e0', ' k0'];
    const result = merged({ resolved: ids, superseded: ids });
    expect(result).toEqual(whole({ ...previous, summary: 'New.' }));
  });

  it('keeps the older wording of what is said twice', () => {
    const result = merged({
      keyPoints: ['port  IS 8443', 'uses\u00a0postgres'],
      context: { decisions: ['KEEP  rest'], domainEntities: ['SRC/a.ts', 'src/b.ts', ' src/b.ts'] },
    });
    expect(result.keyPoints).toEqual(['Port is 8443', 'Uses Postgres']);
    expect(result.context.decisions).toEqual(['Keep REST']);
    expect(result.context.domainEntities).toEqual(['src/a.ts', 'src/b.ts']);
  });

  it('completes a task with the owner and date it did not have, and keeps tasks of others apart', () => {
    const result = merged({
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

  it('does not let the same answer bring back what it resolved', () => {
    const result = merged({
      resolved: ['a0', 'u0', 'k0'],
      keyPoints: ['port is 8443'],
      context: { actionItems: [{ task: 'write docs' }], unresolved: ['which region?'] },
    });
    expect(result.context.actionItems).toEqual([{ owner: 'Ann', task: 'Fix login' }]);
    expect(result.context.unresolved).toEqual(['Why is CI red?']);
    expect(result.keyPoints).toEqual(['Uses Postgres']);
  });

  it('keeps every key point, the new in front', () => {
    const old = Array.from({ length: 200 }, (_, index) => `Fact ${index}`);
    const { keyPoints } = merged(
      { keyPoints: ['New one', 'New two'] },
      content({ keyPoints: old }),
    );
    expect(keyPoints).toEqual(['New one', 'New two', ...old]);
  });

  it('takes no rule and no request from the model', () => {
    const result = merged({
      superseded: ['c0'],
      resolved: ['c0'],
      context: { constraints: ['Only EU'] },
    });
    expect(result.context.constraints).toEqual(['Never touch main']);
  });

  it('changes nothing it was given', () => {
    const before = structuredClone(previous);
    merged({ resolved: ['a0'], superseded: ['k0'], keyPoints: ['x'] });
    expect(previous).toEqual(before);
  });
});
