import { alarm } from '../../util/async/alarm.ts';

/** Milliseconds of silence after which a store counts as down; with less it is slow. */
export const outageMs = 2000;

/** What an operation is given and who hears of it. */
export interface WatchOptions {
  /** Milliseconds its caller waits. */
  readonly timeoutMs: number;
  /** A store in this process has no timer as long as it answers at once: it would cost more than the access. */
  readonly isLocal: boolean;
  /** Hears of a fault, or that the time was up; once at most, and not of a fault after that time. */
  readonly onFault: (error: unknown) => void;
  /** Hears whether the store was well, that is, answered before it counted as down; the first word counts. */
  readonly onEnd: (isWell: boolean) => void;
}

/**
 * Waits for an operation of a store, and goes on watching when its caller has gone. An operation in flight
 * is never cancelled: on a pooled connection that would leave its reply to the next caller.
 *
 * @returns Its result, `undefined` if there was none in time. Never rejects.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function watchOperation<Result>(
  operation: () => Promise<Result>,
  { timeoutMs, isLocal, onFault, onEnd }: WatchOptions,
): Promise<{ readonly result: Result } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ readonly result: Result } | undefined>();
  let isWaitedFor = true;
  let hasSettled = false;
  let stopAlarm: (() => void) | undefined;

  const giveUp = (error: unknown): void => {
    if (!isWaitedFor) return;
    isWaitedFor = false;
    onFault(error);
    resolve(undefined);
  };
  const timeOut = (): void => {
    giveUp(new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError'));
    if (timeoutMs >= outageMs) onEnd(false);
    else stopAlarm = alarm(outageMs - timeoutMs, () => onEnd(false));
  };
  const settle = (isWell: boolean): void => {
    hasSettled = true;
    stopAlarm?.();
    onEnd(isWell);
  };
  const watch = async (): Promise<void> => {
    try {
      const result = await operation();
      settle(true);
      resolve({ result });
    } catch (error) {
      giveUp(error);
      settle(false);
    }
  };
  const setAlarm = (): void => {
    if (!hasSettled) stopAlarm = alarm(timeoutMs, timeOut);
  };

  void watch();
  if (isLocal) void settlesAtOnce(() => hasSettled).then(setAlarm);
  else setAlarm();
  return promise;
}

/** Turns of promises after which a store in this process counts as slow; the default one takes three. */
const looks = 24;

/** Waits until something has settled, or no longer than without anybody else having had a turn. */
async function settlesAtOnce(hasSettled: () => boolean): Promise<void> {
  for (let look = 0; look < looks && !hasSettled(); look += 1) await Promise.resolve();
}
