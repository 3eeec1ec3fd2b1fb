import { maxModels } from '../prompt/model-name.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import type { TokenCalibration } from './token-calibration.ts';
import { retentionMs } from '../stores/store-options.ts';
import type { SealedStore } from '../stores/sealed-store.ts';
import { clockMs } from '../util/clock-ms.ts';

/** Where the multiplier of one model is kept. */
export interface CalibrationPlace {
  readonly store: Pick<SealedStore, 'read' | 'write'>;
  /** Key in the store. */
  readonly key: () => Promise<string>;
}

/** Keeps learned multipliers in stores, one key for each model. */
export interface CalibrationStore {
  /** Takes over what other processes have learned of a model. Asks the store at most once a minute. */
  readonly load: (model: string, place: CalibrationPlace) => Promise<void>;
  /** Writes what has been learned of a model, if it has moved. Does not wait for the store. */
  readonly save: (model: string, place: CalibrationPlace) => void;
}

/** Share by which a multiplier moves before it is written again. */
const leastMove = 0.02;

/** Milliseconds after which a store that knew nothing is asked again. */
const retryMs = 60_000;

/** Binds a calibration to stores. */
export function calibrationStore(calibration: TokenCalibration): CalibrationStore {
  const askedAt = boundedMap<number>(maxModels);
  const saved = boundedMap<number>(maxModels);
  return {
    load: async (model, { store, key }) => {
      if (calibration.learned(model) !== undefined) return;
      const asked = askedAt.get(model);
      if (asked !== undefined && clockMs() < asked + retryMs) return;
      askedAt.set(model, clockMs());
      const multiplier = Number((await store.read(await key())).text);
      if (!(multiplier > 0)) return;
      saved.set(model, multiplier);
      calibration.adopt(model, multiplier);
    },
    save: (model, { store, key }) => {
      const multiplier = calibration.learned(model);
      if (multiplier === undefined) return;
      const before = saved.get(model);
      if (before !== undefined && Math.abs(multiplier / before - 1) < leastMove) return;
      saved.set(model, multiplier);
      const write = async (): Promise<boolean> =>
        (await store.write(await key(), multiplier.toFixed(4), { ttlMs: retentionMs })).outcome !==
        'failed';
      void write().then(
        (isWritten) => isWritten || saved.delete(model),
        () => saved.delete(model),
      );
    },
  };
}
