import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { calibrationStore, type CalibrationPlace } from '../../../src/sizing/calibration-store.ts';
import { tokenCalibration } from '../../../src/sizing/token-calibration.ts';
import { turns } from '../../support/until.ts';

const model = 'anthropic:claude';
const thirtyDays = 2_592_000_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store of one value, which keeps what it was asked and told. */
function placeOf(stored: string | undefined, isWritten = true) {
  const asked: string[] = [];
  const written: unknown[] = [];
  const store: CalibrationPlace['store'] = {
    read: async (key) => {
      asked.push(key);
      return {
        known: true,
        taken: stored !== undefined,
        ...(stored === undefined ? {} : { text: stored }),
      };
    },
    write: async (...given) => {
      written.push(given);
      return { outcome: isWritten ? 'written' : 'failed', raw: '' };
    },
  };
  return { asked, written, place: { store, key: async () => 'a key' } };
}

function learningStore() {
  const calibration = tokenCalibration();
  const learn = (multiplier: number): void =>
    calibration.learn(model, 1, { counted: 1000, reported: multiplier * 1000 }, 1);
  return { calibration, learn, store: calibrationStore(calibration) };
}

describe('calibrationStore', () => {
  it.each<[string | undefined, number | undefined]>([
    ['1.5', 1.5],
    ['0', undefined],
    ['-1', undefined],
    ['much', undefined],
    [undefined, undefined],
  ])('takes over from a store that holds %s the factor %s', async (stored, expected) => {
    const { calibration, store } = learningStore();
    const { place, asked } = placeOf(stored);
    await store.load(model, place);
    expect(asked).toEqual(['a key']);
    expect(calibration.learned(model)).toBe(expected);
  });

  it('asks no store for what has been learned', async () => {
    const { learn, store } = learningStore();
    const { place, asked } = placeOf('1.5');
    learn(1.2);
    await store.load(model, place);
    expect(asked).toEqual([]);
  });

  it('asks a store that knew nothing once a minute, for each model', async () => {
    const { store } = learningStore();
    const { place, asked } = placeOf(undefined);
    await store.load(model, place);
    vi.advanceTimersByTime(59_999);
    await store.load(model, place);
    expect(asked).toHaveLength(1);
    await store.load('openai:gpt-5', place);
    expect(asked).toHaveLength(2);
    vi.advanceTimersByTime(1);
    await store.load(model, place);
    expect(asked).toHaveLength(3);
  });

  it('writes what has been learned, for thirty days', async () => {
    const { learn, store } = learningStore();
    const { place, written } = placeOf(undefined);
    let keys = 0;
    const key = async (): Promise<string> => `${(keys += 1)}`;
    store.save(model, { ...place, key });
    await turns(1);
    expect(written).toEqual([]);
    expect(keys).toBe(0);
    learn(1.234_56);
    store.save(model, place);
    await turns(1);
    expect(written).toEqual([['a key', '1.2346', { ttlMs: thirtyDays }]]);
  });

  it.each([
    ['not when it has not moved', 1.5, 0],
    ['not when it has grown by a hundredth', 1.515, 0],
    ['when it has grown by a fiftieth', 1.5301, 1],
    ['when it has shrunk as much', 1.4699, 1],
  ])('writes again %s', async (_when, multiplier, times) => {
    const { learn, store } = learningStore();
    const { place, written } = placeOf(undefined);
    learn(1.5);
    store.save(model, place);
    await turns(1);
    learn(multiplier);
    store.save(model, place);
    await turns(1);
    expect(written).toHaveLength(1 + times);
  });

  it('does not write what it has just read', async () => {
    const { store } = learningStore();
    const { place, written } = placeOf('1.5');
    await store.load(model, place);
    store.save(model, place);
    await turns(1);
    expect(written).toEqual([]);
  });

  it('writes once more what could not be written', async () => {
    const { learn, store } = learningStore();
    const { place, written } = placeOf(undefined, false);
    learn(1.5);
    store.save(model, place);
    await turns(1);
    store.save(model, place);
    await turns(1);
    expect(written).toHaveLength(2);
  });

  it('writes once more where there was no key', async () => {
    const { learn, store } = learningStore();
    const { place, written } = placeOf(undefined);
    learn(1.5);
    store.save(model, { ...place, key: () => Promise.reject(new Error('no key')) });
    await turns(1);
    store.save(model, place);
    await turns(1);
    expect(written).toHaveLength(1);
  });
});
