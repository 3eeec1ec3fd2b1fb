import { maxModels } from '../../prompt/model-name.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** Permission to make one call; tell it how the call ended, or the breaker stays half open. */
export interface BreakerPass {
  readonly succeed: () => void;
  /** Says what the failure speaks of: the model, or what it was given. */
  readonly fail: (of: 'model' | 'content') => void;
  /** The call was given up for a reason that says nothing about the model, unless it was slow. */
  readonly cancel: () => void;
}

/**
 * Gives a pass for a call of a model, `undefined` while its circuit is open.
 *
 * @param slowMs - Milliseconds after which a call that is under way counts as failing, while the model
 * answers no other.
 */
export type EnterCircuit = (model: string, slowMs?: number) => BreakerPass | undefined;

/** Failures in a row that open a circuit. */
const maxFailures = 3;

/** Milliseconds an open circuit stays open. */
const openMs = 60_000;

interface Circuit {
  failures: number;
  /** Time of `performance` at which it opened. */
  openedAt?: number | undefined;
  /** Since when a call probes; one that has ended with its request, without a word, does not for ever. */
  probingSince?: number | undefined;
}

/** A call under way. */
interface RunningCall {
  /** Time of `performance` at which it was made, or at which the model answered another one after that. */
  since: number;
  readonly slowMs: number;
  /** Whether it has been counted as a failure. */
  isCounted: boolean;
}

/**
 * Leaves a model alone after failures: three in a row open its circuit for 60 s, then one call at a time may
 * probe; a success closes it, a failure opens it again. A call that hangs counts before it has ended.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function circuitBreaker(): EnterCircuit {
  // Holds only models that fail; a success removes the entry.
  const circuits = boundedMap<Circuit>(maxModels);
  const running = new Map<string, Set<RunningCall>>();

  const fail = (model: string, isProbe: boolean): void => {
    const circuit = circuits.get(model) ?? { failures: 0 };
    circuits.set(model, circuit);
    circuit.failures += 1;
    if (isProbe) circuit.probingSince = undefined;
    // A call that began before the circuit opened says nothing new.
    const opens = circuit.openedAt === undefined && circuit.failures >= maxFailures;
    if (isProbe || opens) circuit.openedAt = clockMs();
  };

  const countSlow = (model: string): void => {
    for (const call of running.get(model) ?? []) {
      if (call.isCounted || clockMs() - call.since < call.slowMs) continue;
      call.isCounted = true;
      fail(model, false);
    }
  };

  return (model, slowMs = Infinity) => {
    countSlow(model);
    const entered = circuits.get(model);
    const isProbe = entered?.openedAt !== undefined;
    if (entered?.openedAt !== undefined) {
      const now = clockMs();
      if (now - (entered.probingSince ?? entered.openedAt) < openMs) return undefined;
      entered.probingSince = now;
    }
    const call: RunningCall = {
      since: clockMs(),
      // Nobody else is let in while it probes.
      slowMs: isProbe ? Infinity : slowMs,
      isCounted: false,
    };
    const calls = running.get(model) ?? new Set();
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
      fail: () => {
        leave();
        if (!call.isCounted) fail(model, isProbe);
      },
      cancel: () => {
        leave();
        if (isProbe && entered !== undefined) entered.probingSince = undefined;
      },
    };
  };
}
