import type { TokenCalibration } from '../tokens/token-calibration.ts';
import type { StoreKeys } from './store-keys.ts';
import type { SummaryStore } from './summary-store.ts';

/** Keeps learned multipliers in a store, one key for each model. */
export interface CalibrationStore {
  /** Takes over what other processes have learned of a model. Reads the store once. */
  readonly load: (store: SummaryStore, model: string) => Promise<void>;
  /** Writes what has been learned of a model, if it has moved. Does not wait for the store. */
  readonly save: (store: SummaryStore, model: string) => void;
}

/** Share by which a multiplier moves before it is written again. */
const leastMove = 0.02;

/** How long a multiplier that is not used is kept: 30 days. */
const retentionMs = 30 * 24 * 60 * 60 * 1000;

/** Binds a calibration to the keys of a namespace. The stores given must never reject. */
export function calibrationStore(calibration: TokenCalibration, keys: StoreKeys): CalibrationStore {
  const loads = new Map<string, Promise<void>>();
  const saved = new Map<string, number>();
  const keyOf = (model: string): Promise<string> => keys.key('multiplier', model);

  const read = async (store: SummaryStore, model: string): Promise<void> => {
    const multiplier = Number(await store.get(await keyOf(model)));
    if (!(multiplier > 0)) return;
    saved.set(model, multiplier);
    calibration.adopt(model, multiplier);
  };
  return {
    load: (store, model) => {
      const load = loads.get(model) ?? read(store, model);
      loads.set(model, load);
      return load;
    },
    save: (store, model) => {
      const multiplier = calibration.learned(model);
      if (multiplier === undefined) return;
      const before = saved.get(model);
      if (before !== undefined && Math.abs(multiplier / before - 1) < leastMove) return;
      saved.set(model, multiplier);
      void keyOf(model).then((key) =>
        store.set(key, multiplier.toFixed(4), { ttlMs: retentionMs }),
      );
    },
  };
}
