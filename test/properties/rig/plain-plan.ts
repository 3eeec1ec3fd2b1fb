import type { TracePlan } from '../generators/trace-plan.ts';

/** A chat of ten turns, where a test needs one conversation and any will do. */
export const plainChat: TracePlan = {
  systems: [{ seed: 500, words: 5, extra: '' }],
  turns: Array.from({ length: 10 }, (_, seed) => ({
    users: [{ text: { seed, words: 30, extra: '' }, file: 'none' }],
    steps: [{ kind: 'answer', thinking: 'none', text: { seed: seed + 50, words: 60, extra: '' } }],
  })),
  ending: 'user',
};
