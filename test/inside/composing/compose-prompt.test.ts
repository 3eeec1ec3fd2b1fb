import { describe, expect, it } from 'vitest';
import { composePrompt } from '../../../src/composing/compose-prompt.ts';
import type { Message } from '../../../src/index.ts';
import type { StateDialect } from '../../../src/prompt/message-state.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { atomicGroups } from '../../../src/selection/atomic-groups.ts';
import { assistant, call, results, system, user } from '../../support/prompt-messages.ts';

const record = buildRecord(
  {
    key: 'a'.repeat(64),
    depth: 0,
    parent: undefined,
    coveredMessages: 2,
    prefixDigest: 'digest',
    strategy: 'rule-based',
    degraded: false,
    inputTokens: 100,
  },
  emptyContent('They spoke of rivers.'),
  30,
);

/** What stands behind the leading system messages and the summary. */
async function composed(
  conversation: readonly Message[],
  cut: number,
  {
    pinned = [],
    dialect,
  }: { readonly pinned?: readonly number[]; readonly dialect?: StateDialect },
): Promise<readonly Message[]> {
  const prompt = {
    systems: [system('rules')],
    conversation,
    groups: atomicGroups(conversation),
    pinned: new Set(pinned),
    dialect,
    tools: undefined,
  };
  const style = { placement: 'system', userTextCharacters: 0 } as const;
  const composition = composePrompt(prompt, style, { record, cut });
  return composition.prompt.slice(2);
}

describe('composePrompt', () => {
  it('puts kept messages in front of the recent ones', async () => {
    const [first, answer, next] = [user('0'), assistant('1'), user('2')];
    const conversation = [first, answer, next, assistant('3')];
    expect(await composed(conversation, 3, {})).toEqual([next, conversation[3]]);
    expect(await composed(conversation, 2, { pinned: [0] })).toEqual(conversation);
  });

  it('sends no message twice where a cut lies within a pinned group', async () => {
    const conversation = [user('0'), assistant('', call('1')), results('1'), assistant('3')];
    expect(await composed(conversation, 2, { pinned: [1] })).toEqual(conversation);
  });

  it('sends the effort of summarised messages ahead of the kept ones', async () => {
    const effort = { ...system(''), providerOptions: { anthropic: { effort: 'low' } } };
    const conversation = [user('0'), effort, user('1'), assistant('2'), user('3'), assistant('4')];
    expect(await composed(conversation, 5, { dialect: 'anthropic' })).toEqual([
      effort,
      user('3'),
      assistant('4'),
    ]);
  });
});
