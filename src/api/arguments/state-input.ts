import { checked, checkThat } from '../../checks/check-object.ts';
import {
  anyString,
  optionsOf,
  secretAllowed,
  secretRule,
  type OptionRule,
  type OptionRules,
} from '../../checks/option-rule.ts';
import { SummarizationError } from '../../errors/summarization-error.ts';
import { processCopyOf, type ProcessCopy } from '../../state/process-copy.ts';
import { storeRule, usedStore, type GivenStore } from '../../stores/summary-store.ts';
import { guardedStore, sealedStore, type SealedStore } from '../../stores/sealed-store.ts';
import { processSecret } from '../../stores/store-options.ts';
import { storeKeyring, type StoreKeys } from '../../stores/store-keys.ts';

/** Whose state a function works on: as the middleware was given it. */
export interface StateInput {
  /** The store object of the middleware, so that what this process knows of it is reached too. */
  readonly store: GivenStore;
  /** The `secret` of the middleware. Required for a store that other processes share. */
  readonly secret?: string | readonly string[] | undefined;
  /**
   * The `namespace` of the middleware or of the calls.
   * @default ''
   */
  readonly namespace?: string | undefined;
}

/** State as a function on it sees it. */
export interface OpenState {
  /** With the current secret, then with the former one. */
  readonly stores: readonly [SealedStore, ...SealedStore[]];
  readonly copy: ProcessCopy;
  /** What went wrong first: `undefined` when the store has answered all that it was asked. */
  readonly fault: () => unknown;
}

/** Milliseconds that one operation of the store may take. */
const timeoutMs = 10_000;

const stateRules: OptionRules<StateInput> = {
  store: storeRule,
  secret: secretRule,
  namespace: anyString,
};

/**
 * Checks what a function on state is given.
 *
 * @throws {SummarizationOptionError} naming what is wrong and what is allowed.
 */
export function checkStateInput(
  input: StateInput,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  const allowed = 'an object with store';
  const all: OptionRules<StateInput> = { ...stateRules, ...rules };
  checked(optionsOf(all, { allowed, required: ['store'] }), input, 'input');
  const canBeFound = input.secret !== undefined || input.store.isLocal === true;
  checkThat(canBeFound, 'secret', input.secret, `for a shared store, ${secretAllowed}`);
}

/** Opens the state that a function works on. */
export function openState(input: StateInput): OpenState {
  const { secret = processSecret(), namespace = '' } = input;
  const store = usedStore(input.store);
  let fault: unknown;
  const guarded = guardedStore(store)({ onFault: (error) => (fault ??= error) });
  // One that is left alone in an outage is not asked at all.
  const watched: Parameters<typeof sealedStore>[0] = {
    ask: async (...given) => {
      const answer = await guarded.ask(...given);
      if (answer === undefined)
        fault ??= new Error('The store is not asked for a while after an outage.');
      return answer;
    },
  };
  const wait = { timeoutMs, isUrgent: true };
  const sealed = (keys: StoreKeys): SealedStore => sealedStore(watched, keys, wait);
  const [current, ...former] = storeKeyring({ secret, namespace });
  return {
    stores: [sealed(current), ...former.map(sealed)],
    copy: processCopyOf(store),
    fault: () => fault,
  };
}

/** What a function on state throws when the store did not do what it was to do. */
export function storeFailure(message: string, cause: unknown): SummarizationError {
  return new SummarizationError({ reason: 'store', message, retryable: true, cause });
}

/** @throws {SummarizationError} unless the store has answered all that it was asked. */
export function checkAnswered({ fault }: Pick<OpenState, 'fault'>): void {
  if (fault() !== undefined) throw storeFailure('The store did not answer.', fault());
}
