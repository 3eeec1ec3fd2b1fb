import { emptyContent } from '../../support/empty-content.ts';
import type { SummaryInput, SummaryStrategy } from '../../../src/index.ts';

/** A strategy and what it was given. */
export interface KnownStrategy extends SummaryStrategy {
  readonly inputs: readonly SummaryInput[];
}

/** A strategy that needs no model: a short text that depends on nothing but its input. */
export function knownStrategy(extraKeyPoints: readonly string[] = []): KnownStrategy {
  const inputs: SummaryInput[] = [];
  return {
    name: 'known',
    inputs,
    summarize: (input) => {
      inputs.push(input);
      const { messages, previous, usePreviousNarrative } = input;
      const roles = messages.map(({ role }) => role.charAt(0)).join('');
      const before = usePreviousNarrative ? (previous?.depth ?? 'none') : 'unread';
      return Promise.resolve({
        content: {
          ...emptyContent(`After ${before}: ${messages.length} messages ${roles.slice(0, 12)}.`),
          keyPoints: extraKeyPoints,
        },
        usage: { inputTokens: messages.length, outputTokens: 1 },
      });
    },
  };
}
