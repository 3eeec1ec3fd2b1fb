import { checkThat } from '../../foundations/checks/check-object.ts';
import { makeOnce, withDeadline } from '../../foundations/util/async/waiting.ts';
import { codeOf } from '../../foundations/util/errors.ts';

/** Longest time that is kept: what a date can hold. */
const maxMs = 8.64e15;

/** A time to live as databases take it: an integer of at least 1, or `undefined` for one without an end. */
export function timeToLive(ttlMs: number | undefined): number | undefined {
  if (ttlMs === undefined || ttlMs > maxMs) return undefined;
  return Math.max(1, Math.ceil(ttlMs));
}

/**
 * Message of a client's failure, or its kind. Errors of clients hold the whole command or statement, and with
 * it what was to be stored: nothing else of them goes further.
 */
export function failureText(error: unknown): string {
  const kind = codeOf(error);
  if (!(error instanceof Error)) return kind;
  // Upstash has the command in the message; those of redis say with their class alone what they are.
  const [message = ''] = error.message.split(', command was:');
  return message || (kind === 'Error' ? error.constructor.name : kind);
}

/** The error of a driver in the one that a query builder has made of it, which may hold the statement and its values. */
export function driverError(error: unknown): unknown {
  const { cause, original = cause }: { cause?: unknown; original?: unknown } = Object(error);
  return original instanceof Error ? original : error;
}

/** A function that an object has, bound to it; `undefined` where it has none of that name. */
export function boundMethod(
  owner: unknown,
  name: string,
): ((...given: readonly unknown[]) => unknown) | undefined {
  const { [name]: member }: Readonly<Record<string, unknown>> = Object(owner);
  return typeof member === 'function'
    ? (...given) => Reflect.apply(member, owner, given)
    : undefined;
}

/** Milliseconds for which an operation waits for a connection: whoever asked for it goes on without it then. */
export const maxConnectingMs = 2000;

/**
 * Gives what is made of a client, or of one that a function gives when it is first needed: one that fails is asked again
 * with the next operation. Some clients are functions, as those that `neon` and `postgres` make.
 *
 * @param use - Adapts a client; `undefined` for other objects.
 * @param allowed - Accepted clients, in words.
 * @throws {SummarizationOptionError} for what is no client: at once where it was given, else with each operation.
 */
export function lazyClient<Used>(
  given: unknown,
  use: (client: unknown) => Used | undefined,
  allowed: string,
): () => Promise<Used> {
  const used = use(given);
  if (used !== undefined) return async () => used;
  // Knex is a function, which would build a query where it were called for a client.
  const isMaker = typeof given === 'function' && typeof Object(given).raw !== 'function';
  checkThat(isMaker, 'client', given, allowed);
  const made = makeOnce(async () => {
    const client: unknown = await given();
    const usedOfMade = use(client);
    checkThat(usedOfMade !== undefined, 'client', client, allowed);
    return usedOfMade;
  });
  return async () => withDeadline(undefined, maxConnectingMs, made);
}
