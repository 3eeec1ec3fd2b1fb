import { randomId } from '../../hash/random-id.ts';

let secretOfProcess: string | undefined;

/** One for the process: middlewares that share a store without a secret find each other's summaries. */
export function processSecret(): string {
  secretOfProcess ??= randomId() + randomId();
  return secretOfProcess;
}
