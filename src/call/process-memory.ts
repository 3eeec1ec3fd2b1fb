import { boundedMap, type BoundedMap } from '../collections/bounded-map.ts';
import { prefixMemory, type PrefixMemory } from '../identity/prefix-memory.ts';
import { calibrationStore, type CalibrationStore } from '../state/calibration-store.ts';
import { storedReader, type StoredReader } from '../state/stored-reader.ts';
import type { SummaryStore } from '../state/summary-store.ts';
import { fingerprint } from '../tokens/fingerprint.ts';
import { hiddenTokens, type HiddenTokens } from '../tokens/hidden-tokens.ts';
import { tokenCalibration, type TokenCalibration } from '../tokens/token-calibration.ts';
import { usageMemory, type UsageMemory } from '../tokens/usage-memory.ts';
import { limitMemory, type LimitMemory } from './limit-memory.ts';
import { warningMemory, type WarningMemory } from './warning-memory.ts';

/**
 * What this process has learned and need not compute or pay for again. One for the process, so that its
 * size is bounded however many middlewares, stores and namespaces there are; what is not a function of
 * content alone is filed under a scope.
 */
export interface ProcessMemory {
  readonly prefixes: PrefixMemory;
  readonly usage: UsageMemory;
  readonly calibration: TokenCalibration;
  readonly hidden: HiddenTokens;
  readonly calibrations: CalibrationStore;
  readonly limits: LimitMemory;
  readonly reader: StoredReader;
  readonly warnings: WarningMemory;
  /** Keys of `providers` that have named the model of a call. */
  readonly providerKeys: BoundedMap<true>;
}

const maxProviderKeys = 1000;

let shared: ProcessMemory | undefined;

/** The memory of this process. */
export function processMemory(): ProcessMemory {
  if (shared === undefined) {
    const calibration = tokenCalibration();
    shared = {
      prefixes: prefixMemory(),
      usage: usageMemory(),
      calibration,
      hidden: hiddenTokens(),
      calibrations: calibrationStore(calibration),
      limits: limitMemory(),
      reader: storedReader(),
      warnings: warningMemory(),
      providerKeys: boundedMap(maxProviderKeys),
    };
  }
  return shared;
}

/**
 * Names what belongs together: a store as it is seen with a secret and a namespace. Middlewares made
 * anew for each request share their scope when they share these.
 */
export function memoryScope(store: SummaryStore, secret: string, namespace: string): string {
  let number = storeNumbers.get(store);
  if (number === undefined) {
    storesSeen += 1;
    number = storesSeen;
    storeNumbers.set(store, number);
  }
  const print = fingerprint();
  print.text(secret);
  print.text(namespace);
  const { high, low } = print.end();
  return `${number} ${high} ${low}`;
}

const storeNumbers = new WeakMap<SummaryStore, number>();
let storesSeen = 0;
