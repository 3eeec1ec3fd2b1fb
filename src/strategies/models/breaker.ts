import { maxModels } from '../../prompt/model-name.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { clockMs } from '../../util/async/waiting.ts';
import type { CallEnd } from './classify-failure.ts';

/**
 * Permission to make one call; told how the call ended, or the breaker stays half open. `undefined`: it was given up
 * for a reason that says nothing about the model, unless it was slow.
 */
export type BreakerPass = (end: CallEnd | undefined) => void;

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

/** A call under way. */
interface RunningCall {
  /** When it was made, or the model answered another one after that. */
  since: number;
  readonly slowMs: number;
  readonly isProbe: boolean;
}

/**
 * Leaves a model alone after three failures in a row: for a second where they may pass, doubling up to a minute; for a
 * minute at once where it hangs, refuses or writes nothing usable, and then one call probes. A success closes the
 * circuit. A call that hangs counts before it has ended. What a model answers without use is counted for whoever gave
 * it the messages: one tenant whose messages no model summarises takes it from nobody else.
 */
export function modelBreaker(): EnterModel {
  const circuits = boundedMap<ReturnType<typeof closedCircuit>>(maxModels);
  const unlucky = boundedMap<Set<string>>(maxModels);
  /** By model and namespace: failures in a row that are of its messages, and until when it is left alone for them. */
  const ofContent = boundedMap<{ readonly failures: number; readonly until: number }>(maxModels);
  return (model, namespace, slowMs = Infinity) => {
    const own = JSON.stringify([model, namespace]);
    const leftMs = (ofContent.get(own)?.until ?? 0) - clockMs();
    if (leftMs > 0) return { leftMs, isAskedFor: false };
    const circuit = circuits.get(model) ?? closedCircuit();
    circuits.set(model, circuit);
    const pass = circuit(slowMs);
    if (typeof pass !== 'function') return pass;
    return (end) => {
      const all = unlucky.get(model) ?? new Set();
      if (end?.isOfContent === true) {
        const failures = (ofContent.get(own)?.failures ?? 0) + 1;
        ofContent.set(own, { failures, until: failures < maxFailures ? 0 : clockMs() + openMs });
        if (all.size < maxUnlucky) unlucky.set(model, all.add(namespace));
      } else if (end?.outcome === 'ok') {
        ofContent.delete(own);
        unlucky.delete(model);
      }
      pass(end?.isOfContent === true && all.size < maxUnlucky ? undefined : end);
    };
  };
}

/** What is known of a model. Times are those of `clockMs`. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is what is known
function closedCircuit(): (slowMs: number) => BreakerPass | LeftAlone {
  /** Those that count as neither answered nor failed. */
  const running = new Set<RunningCall>();
  let failures = 0;
  /** Until when it is open, and whether the provider asked for that. */
  let openUntil = 0;
  let isAskedFor = false;
  /** For how long failures opened it: after the longest time one call at a time may probe, else all may. */
  let openedForMs = 0;

  const open = (ms: number, isByProvider: boolean): void => {
    if (clockMs() + ms <= openUntil) return;
    openUntil = clockMs() + ms;
    isAskedFor = isByProvider;
  };
  /** @param end - `undefined` of a call that hangs. */
  const fail = ({ since, isProbe }: RunningCall, end?: CallEnd): void => {
    const isPassing = end?.retry === 'soon';
    const restMs = isPassing ? end.retryAfterMs : undefined;
    if (restMs !== undefined) open(Math.min(restMs, openMs), true);
    // A call that began before the circuit opened says nothing new.
    if (restMs !== undefined || since < openUntil) return;
    failures += 1;
    if (!isProbe && failures < maxFailures) return;
    const longer = Math.min(Math.max(leastOpenMs, openedForMs * 2), openMs);
    openedForMs = isPassing ? longer : openMs;
    open(openedForMs, false);
  };
  /** Counts as failed, once, what is under way for too long. */
  const countSlow = (): void => {
    for (const call of running)
      if (clockMs() - call.since >= call.slowMs && running.delete(call)) fail(call);
  };
  return (slowMs) => {
    countSlow();
    const now = clockMs();
    if (now < openUntil) return { leftMs: openUntil - now, isAskedFor };
    const isProbe = openedForMs === openMs;
    // Nobody else is let in while one probes; one that has ended with its request, without a word, does not for ever.
    if (isProbe && [...running].some((each) => each.isProbe && now - each.since < openMs))
      return { leftMs: leastOpenMs, isAskedFor: false };
    const call = { since: now, slowMs: isProbe ? Infinity : slowMs, isProbe };
    running.add(call);
    return (end) => {
      countSlow();
      const isCounted = !running.delete(call);
      if (end?.outcome === 'ok') {
        [failures, openUntil, openedForMs] = [0, 0, 0];
        for (const other of running) other.since = clockMs();
      } else if (end !== undefined && !isCounted) fail(call, end);
    };
  };
}
