import type { Message } from '../prompt/prompt-types.ts';
import { countUpTo } from '../util/count-up-to.ts';
import { isSignificant } from './canonical-message.ts';

/** Where the significant messages of a conversation stand, of which only as many are looked at as it takes. */
export interface SignificantMessages {
  /** Indexes of the first ones, of `count` at least where there are as many. */
  readonly until: (count: number) => readonly number[];
  readonly before: (index: number) => number;
  readonly indexAfter: (count: number) => number | undefined;
}

export function significantMessages(conversation: readonly Message[]): SignificantMessages {
  const indexes: number[] = [];
  let scanned = 0;
  const scanUntil = (enough: () => boolean): void => {
    for (; scanned < conversation.length && !enough(); scanned += 1) {
      const message = conversation[scanned];
      if (message !== undefined && isSignificant(message)) indexes.push(scanned);
    }
  };
  const until = (count: number): readonly number[] => {
    scanUntil(() => indexes.length >= count);
    return indexes;
  };
  return {
    until,
    before: (index) => {
      scanUntil(() => scanned >= index);
      return countUpTo(indexes, index - 1);
    },
    indexAfter: (count) => {
      if (count === 0) return 0;
      const last = until(count)[count - 1];
      return last === undefined ? undefined : last + 1;
    },
  };
}
