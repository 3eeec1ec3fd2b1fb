import { maxModels } from '../../prompt/model-name.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** Permission to make one call; tell it how the call ended, or the breaker stays half open. */
export interface BreakerPass {
  readonly succeed: () => void;
  readonly fail: (failure: BreakerFailure) => void;
  /** The call was given up for a reason that says nothing about the model, unless it was slow. */
  readonly cancel: () => void;
}

/** What a failure says of the calls after it. */
export interface BreakerFailure {
  /** Whether it speaks of the model, or of what the model was given. */
  readonly of: 'model' | 'content';
  /** Whether it may be over in a moment. */
  readonly isPassing?: boolean | undefined;
  /** Milliseconds the provider asked to be left alone: until then, and no longer, it is. */
  readonly retryAfterMs?: number | undefined;
}

/** A model is left alone for so many milliseconds. */
export interface LeftAlone {
  readonly leftMs: number;
  /** Whether the provider asked for it: it will be there afterwards. */
  readonly isAskedFor: boolean;
}

/**
 * Gives a pass for a call of a model for a namespace.
 *
 * @param slowMs - Milliseconds after which a call that is under way counts as failing, while the model
 * answers no other.
 */
export type EnterModel = (
  model: string,
  namespace: string,
  slowMs?: number,
) => BreakerPass | LeftAlone;

/** Failures in a row that open a circuit. */
const maxFailures = 3;

/** Milliseconds an open circuit stays open, and those of one that opens by what may pass, doubled each time. */
const openMs = 60_000;
const leastOpenMs = 1000;

/** Namespaces with nothing usable in a row, from which on the model is at fault and not what they give it. */
const maxUnlucky = 3;

interface Circuit {
  failures: number;
  /** Time of `performance` until which it is open, and for how long it was opened. */
  openUntil: number;
  openedForMs: number;
  /** Time of `performance` until which the provider asked to be left alone. */
  restsUntil: number;
  /** Whether one call at a time may probe once it has been open; else all may, until one of them fails. */
  isProbed: boolean;
  /** Since when a call probes; one that has ended with its request, without a word, does not for ever. */
  probingSince?: number | undefined;
}

/** A call under way. */
interface RunningCall {
  /** Time of `performance` at which it was made, or at which the model answered another one after that. */
  since: number;
  readonly slowMs: number;
  readonly isProbe: boolean;
  /** Whether it has been counted as a failure. */
  isCounted: boolean;
}

/**
 * Leaves a model alone after three failures in a row: for a second where they may pass, doubling up to a minute; for a
 * minute at once where it hangs, refuses or writes nothing usable, and then one call probes. A success closes the
 * circuit. A call that hangs counts before it has ended. What a model answers without use is counted for whoever gave
 * it the messages: one tenant whose messages no model summarises takes it from nobody else.
 */
export function modelBreaker(): EnterModel {
  const ofModels = circuitBreaker();
  const ofNamespaces = circuitBreaker();
  const unlucky = boundedMap<ReadonlySet<string>>(maxModels);
  return (model, namespace, slowMs) => {
    const own = ofNamespaces(JSON.stringify([model, namespace]));
    if (!('succeed' in own)) return own;
    const shared = ofModels(model, slowMs);
    if (!('succeed' in shared)) {
      own.cancel();
      return shared;
    }
    const isAtFault = (): boolean => {
      const all = new Set([...(unlucky.get(model) ?? []), namespace]);
      if (all.size <= maxUnlucky) unlucky.set(model, all);
      return all.size >= maxUnlucky;
    };
    return {
      succeed: () => {
        unlucky.delete(model);
        own.succeed();
        shared.succeed();
      },
      fail: (failure) => {
        if (failure.of === 'content') own.fail(failure);
        else own.cancel();
        if (failure.of === 'model' || isAtFault()) shared.fail(failure);
        else shared.cancel();
      },
      cancel: () => {
        own.cancel();
        shared.cancel();
      },
    };
  };
}

// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
function circuitBreaker(): (model: string, slowMs?: number) => BreakerPass | LeftAlone {
  // Holds only models that fail; a success removes the entry.
  const circuits = boundedMap<Circuit>(maxModels);
  const running = new Map<string, Set<RunningCall>>();

  const fail = (
    model: string,
    { since, isProbe }: Pick<RunningCall, 'since' | 'isProbe'>,
    { isPassing = false, retryAfterMs }: Omit<BreakerFailure, 'of'>,
  ): void => {
    const closed = { failures: 0, openUntil: 0, openedForMs: 0, restsUntil: 0 };
    const circuit = circuits.get(model) ?? { ...closed, isProbed: false };
    circuits.set(model, circuit);
    if (isProbe) circuit.probingSince = undefined;
    const now = clockMs();
    if (retryAfterMs !== undefined) {
      circuit.restsUntil = Math.max(circuit.restsUntil, now + Math.min(retryAfterMs, openMs));
      return;
    }
    // A call that began before the circuit opened says nothing new.
    if (since < circuit.openUntil) return;
    circuit.failures += 1;
    if (!isProbe && circuit.failures < maxFailures) return;
    const longer = Math.min(Math.max(leastOpenMs, circuit.openedForMs * 2), openMs);
    circuit.openedForMs = isPassing ? longer : openMs;
    circuit.isProbed = circuit.openedForMs === openMs;
    circuit.openUntil = now + circuit.openedForMs;
  };

  const countSlow = (model: string): void => {
    for (const call of running.get(model) ?? []) {
      if (call.isCounted || clockMs() - call.since < call.slowMs) continue;
      call.isCounted = true;
      fail(model, call, {});
    }
  };

  return (model, slowMs = Infinity) => {
    countSlow(model);
    const circuit = circuits.get(model);
    const now = clockMs();
    const { openUntil = 0, restsUntil = 0 } = circuit ?? {};
    if (now < openUntil) return { leftMs: openUntil - now, isAskedFor: false };
    if (now < restsUntil) return { leftMs: restsUntil - now, isAskedFor: true };
    const isProbe = circuit?.isProbed === true && openUntil > 0;
    if (isProbe) {
      const { probingSince = -Infinity } = circuit;
      if (now - probingSince < openMs) return { leftMs: leastOpenMs, isAskedFor: false };
      circuit.probingSince = now;
    }
    // Nobody else is let in while it probes.
    const call = { since: now, slowMs: isProbe ? Infinity : slowMs, isProbe, isCounted: false };
    const calls: Set<RunningCall> = running.get(model) ?? new Set();
    running.set(model, calls.add(call));
    const leave = (): void => {
      countSlow(model);
      calls.delete(call);
      if (calls.size === 0 && running.get(model) === calls) running.delete(model);
    };
    return {
      succeed: () => {
        leave();
        circuits.delete(model);
        for (const other of calls) Object.assign(other, { since: clockMs(), isCounted: false });
      },
      fail: (failure) => {
        leave();
        if (!call.isCounted) fail(model, call, failure);
      },
      cancel: () => {
        leave();
        if (isProbe) circuit.probingSince = undefined;
      },
    };
  };
}
