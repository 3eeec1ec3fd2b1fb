/** Numbers that look random, the same from the same seed. */
export interface Seeded {
  /** An integer below another one. */
  readonly below: (end: number) => number;
  readonly chance: (probability: number) => boolean;
}

/** Makes them; "mulberry32" by T. Ettinger. */
export function seeded(seed: number): Seeded {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (end) => Math.floor(next() * end),
    chance: (probability) => next() < probability,
  };
}
