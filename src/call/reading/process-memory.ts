import { maxModels } from '../../prompt/model-name.ts';
import { boundedMap, type BoundedMap } from '../../util/maps/bounded-map.ts';
import { calibrationStore, type CalibrationStore } from '../../sizing/calibration-store.ts';
import type { Placement } from '../../composing/resolve-placement.ts';
import type { SummaryStore } from '../../stores/summary-store.ts';
import { hiddenTokens, type HiddenTokens } from '../../sizing/hidden-tokens.ts';
import { tokenCalibration, type TokenCalibration } from '../../sizing/token-calibration.ts';
import { usageMemory, type UsageMemory } from '../../sizing/usage-memory.ts';
import { learnedLimits, type LearnedLimits } from '../../overflow/learned-limits.ts';
import type { WindowRows } from '../../summaries/make-summary.ts';
import { warningMemory, type WarningMemory } from '../../report/warning-memory.ts';

/**
 * What this process has learned and need not compute or pay for again. One for the process, so that its
 * size is bounded however many middlewares, stores and namespaces there are; what is not a function of
 * content alone is filed under a scope.
 */
export interface ProcessMemory {
  readonly usage: UsageMemory;
  readonly calibration: TokenCalibration;
  readonly hidden: HiddenTokens;
  readonly calibrations: CalibrationStore;
  readonly limits: LearnedLimits;
  readonly warnings: WarningMemory;
  /** Rows of messages of what was summarised, by which windows of a history are noticed. */
  readonly windows: WindowRows;
  /** Summaries of an hour, for those namespaces that may have only so many. */
  readonly spent: BoundedMap<number>;
  /** When jobs were handed to a queue, by model and id. */
  readonly enqueued: BoundedMap<number>;
  /** Where summaries go for models that refused them in a place before. */
  readonly placements: BoundedMap<Placement>;
  /** Keys of `providers` that have named the model of a call. */
  readonly providerKeys: BoundedMap<true>;
}

const maxProviderKeys = 1000;
/** Rows of digests, about 250 bytes each. */
const maxWindowRows = 20_000;
const maxSpendingNamespaces = 10_000;
const maxEnqueued = 10_000;

let shared: ProcessMemory | undefined;

/** The memory of this process. */
export function processMemory(): ProcessMemory {
  if (shared === undefined) {
    const calibration = tokenCalibration();
    shared = {
      usage: usageMemory(),
      calibration,
      hidden: hiddenTokens(),
      calibrations: calibrationStore(calibration),
      limits: learnedLimits(),
      warnings: warningMemory(),
      windows: boundedMap(maxWindowRows),
      spent: boundedMap(maxSpendingNamespaces),
      enqueued: boundedMap(maxEnqueued),
      placements: boundedMap(maxModels),
      providerKeys: boundedMap(maxProviderKeys),
    };
  }
  return shared;
}

/**
 * Numbers what belongs together: a store as it is seen with a secret and a namespace. Middlewares made
 * anew for each request share their scope when they share these, compared as they are.
 */
export function memoryScope(
  store: SummaryStore,
  secret: string | readonly string[],
  namespace: string,
): string {
  const storeNumber = storeNumbers.get(store) ?? storesSeen++;
  storeNumbers.set(store, storeNumber);
  const name = JSON.stringify([storeNumber, secret, namespace]);
  // A scope that was forgotten gets a number of its own: what it knew is not found again by anybody.
  const scope = scopes.get(name) ?? scopesSeen++;
  scopes.set(name, scope);
  return String(scope);
}

const storeNumbers = new WeakMap<SummaryStore, number>();
let storesSeen = 0;

const maxScopes = 10_000;
const scopes = boundedMap<number>(maxScopes);
let scopesSeen = 0;
