/** What an overflow error taught about a model. */
export interface LearnedLimit {
  /** Tokens of prompt and answer together, as the provider stated them. */
  readonly contextLength?: number | undefined;
  /** Tokens of the prompt alone. */
  readonly inputLimit?: number | undefined;
  /** Tokens that the provider reserves for an answer when the caller names none. */
  readonly answerTokens?: number | undefined;
  /** Share of the room for the prompt that may be filled by our count, which is not the provider's. */
  readonly usableShare: number;
}

/** Joins what two errors taught about one model: the stricter counts. */
export function stricterLimit(known: LearnedLimit | undefined, next: LearnedLimit): LearnedLimit {
  if (known === undefined) return next;
  return {
    contextLength: lesser(known.contextLength, next.contextLength),
    inputLimit: lesser(known.inputLimit, next.inputLimit),
    answerTokens: next.answerTokens ?? known.answerTokens,
    usableShare: Math.min(known.usableShare, next.usableShare),
  };
}

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
