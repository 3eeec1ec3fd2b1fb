/** The room of a conversation that is shortened, in steps, so that calls in a row are shortened alike. */
export interface FitRoom {
  /** Tokens the conversation may take. */
  readonly room: number;
  /** Tokens of history after which more is given up. */
  readonly step: number;
  /**
   * Tokens until then. What is kept beside the newest messages is chosen as if the history had grown by
   * that much already.
   */
  readonly growth: number;
}

/** The largest step, as a share of the whole prompt and of the room for the conversation. */
const stepShares = { prompt: 1 / 8, room: 1 / 4 };

/** The room itself moves in fractions of a step, so that a slightly different target changes nothing. */
const fractionsOfStep = 8;

/**
 * Measures the room for a conversation that is too long for its target.
 *
 * What is given up depends on the history's size rounded up to whole steps. Until it has outgrown the
 * step, the next call gives up the same and its prompt is an extension of this one; the price is that
 * up to an eighth of the prompt stands empty after a step. Steps are powers of two: a target that
 * drifts, as learned sizes do, seldom changes them.
 *
 * @param target - Tokens the whole prompt may take.
 * @param fixed - Tokens of what is not the conversation.
 * @param history - Tokens of the whole conversation.
 */
export function fitRoom(target: number, fixed: number, history: number): FitRoom {
  const all = target - fixed;
  const largest = Math.min(target * stepShares.prompt, all * stepShares.room);
  const step = 2 ** Math.floor(Math.log2(Math.max(1, largest)));
  const fraction = step / fractionsOfStep;
  return {
    room: Math.floor(all / fraction) * fraction,
    step,
    growth: Math.ceil(history / step) * step - history,
  };
}
