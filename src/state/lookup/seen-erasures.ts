import { wasErased, type Erasures } from './was-erased.ts';

/** What one request sees of the erasures of a conversation. */
export interface SeenErasures {
  /** Erasures as they were first seen. */
  readonly first: Erasures;
  /** Whether the conversation has been erased since. */
  readonly isErased: () => boolean;
  readonly note: (seen: Erasures) => void;
  /** The same, of what the store says now. */
  readonly hear: (seen: Erasures) => void;
  /** Notes those that a summary was known with, when the request goes on from that. */
  readonly goOnFrom: (known: Erasures) => void;
}

/** @param earlier - Erasures at an earlier time, from which on the conversation counts as erased. */
export function seenErasures(earlier: Erasures | undefined): SeenErasures {
  const first = new Map(earlier);
  const said = new Map<string, string | undefined>();
  let isErased = false;
  const note = (seen: Erasures): void => {
    for (const [key, erasure] of seen) {
      isErased ||= wasErased(first, key, erasure);
      if (!first.has(key)) first.set(key, erasure);
    }
  };
  return {
    first,
    isErased: () => isErased,
    note,
    hear: (seen) => {
      note(seen);
      for (const [key, erasure] of seen) said.set(key, erasure);
    },
    goOnFrom: (known) => {
      note(known);
      // What goes on with a summary that the store has behind an erasure is begun behind it, too. Where the store says
      // only later that there was one, the summary that is gone on with may be what was erased.
      for (const [key, erasure] of known)
        if (erasure !== undefined && said.get(key) === erasure && earlier?.has(key) !== true)
          first.set(key, erasure);
    },
  };
}
