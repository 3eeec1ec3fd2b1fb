import type { Summaries, Usage } from './journal.ts';

/** Adds up what calls take and what summaries are made, for one piece of work after another. */
export interface Tally {
  readonly add: (usage: Usage) => void;
  readonly onSummary: (isDegraded: boolean) => void;
  /** What has been added since the last time. */
  readonly take: () => Usage & Summaries;
}

export function tally(): Tally {
  const none = { inputTokens: 0, outputTokens: 0, ms: 0, summaries: 0, degraded: 0 };
  let sum = { ...none };
  return {
    add: ({ inputTokens, outputTokens, ms }) => {
      sum.inputTokens += inputTokens;
      sum.outputTokens += outputTokens;
      sum.ms += ms;
    },
    onSummary: (isDegraded) => {
      sum.summaries += 1;
      if (isDegraded) sum.degraded += 1;
    },
    take: () => {
      const taken = sum;
      sum = { ...none };
      return taken;
    },
  };
}
