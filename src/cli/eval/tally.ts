import { sumOf } from '../../util/numbers.ts';
import type { Spent, Usage } from './journal.ts';

/** Adds up what calls take and what summaries are made, for one piece of work after another. */
export interface Tally {
  readonly add: (usage: Usage) => void;
  readonly onSummary: (isDegraded: boolean) => void;
  /** What has been added since the last time. */
  readonly take: () => Spent;
}

export function tally(): Tally {
  let parts: Partial<Spent>[] = [];
  return {
    add: (usage) => void parts.push(usage),
    onSummary: (isDegraded) => void parts.push({ summaries: 1, degraded: isDegraded ? 1 : 0 }),
    take: () => {
      const taken = summed(parts);
      parts = [];
      return taken;
    },
  };
}

export function summed(parts: readonly Partial<Spent>[]): Spent {
  const sum = (name: keyof Spent): number => sumOf(parts, ({ [name]: part = 0 }) => part);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    ms: sum('ms'),
    summaries: sum('summaries'),
    degraded: sum('degraded'),
  };
}
