import { randomId } from '../util/digest.ts';

/** Milliseconds for which what is stored is kept after it was written: 30 days. */
export const retentionMs: number = 30 * 24 * 60 * 60 * 1000;

let secretOfProcess: string | undefined;

/** One for the process: middlewares that share a store without a secret find each other's summaries. */
export function processSecret(): string {
  secretOfProcess ??= randomId() + randomId();
  return secretOfProcess;
}
