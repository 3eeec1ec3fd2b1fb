import { boundedMap } from '../../util/bounded-map.ts';

/** Permission to make one call; tell it how the call ended, or the breaker stays half open. */
export interface BreakerPass {
  readonly succeed: () => void;
  readonly fail: () => void;
  /** The call was given up for a reason that says nothing about the model. */
  readonly cancel: () => void;
}

/** Failing models that are remembered. */
const maxModels = 1000;

interface Circuit {
  failures: number;
  /** Time of `performance` at which it opened. */
  openedAt?: number | undefined;
  isProbing: boolean;
}

/**
 * Leaves a model alone after failures: three in a row open its circuit for 60 s, then one call at a
 * time may probe; a success closes it, a failure opens it again.
 *
 * @returns A function that gives a pass for a key, `undefined` while its circuit is open.
 */
export function circuitBreaker(): (key: string) => BreakerPass | undefined {
  const maxFailures = 3;
  const openMs = 60_000;
  // Holds only models that fail; a success removes the entry.
  const circuits = boundedMap<Circuit>(maxModels);
  return (key) => {
    const entered = circuits.get(key);
    const isProbe = entered?.openedAt !== undefined;
    if (entered?.openedAt !== undefined) {
      if (entered.isProbing || performance.now() - entered.openedAt < openMs) return undefined;
      entered.isProbing = true;
    }
    return {
      succeed: () => {
        circuits.delete(key);
      },
      fail: () => {
        const circuit = circuits.get(key) ?? { failures: 0, isProbing: false };
        circuits.set(key, circuit);
        circuit.failures += 1;
        if (isProbe) circuit.isProbing = false;
        // A call that began before the circuit opened says nothing new.
        const opens = circuit.openedAt === undefined && circuit.failures >= maxFailures;
        if (isProbe || opens) circuit.openedAt = performance.now();
      },
      cancel: () => {
        if (isProbe && entered !== undefined) entered.isProbing = false;
      },
    };
  };
}
