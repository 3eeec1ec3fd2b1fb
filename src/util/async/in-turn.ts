import { withDeadline } from './with-deadline.ts';

/**
 * Runs work under a key after all work that was given before it under that key has ended, or has taken so long that it
 * may have ended with the request that gave it, without a word.
 */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes the queues of a set of keys. Work that fails does not hold up what comes after it. */
export function turns(longestMs: number): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const before = last.get(key);
    const waited =
      before === undefined
        ? Promise.resolve()
        : withDeadline(undefined, longestMs, () => before).catch(() => {});
    const turn = waited.then(work);
    last.set(key, turn);
    const leave = (): void => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
}
