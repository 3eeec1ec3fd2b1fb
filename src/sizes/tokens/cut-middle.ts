import { splitsSurrogatePair } from '../../foundations/util/strings.ts';

/** How the room of `middleTruncate` is shared. */
export interface MiddleTruncateOptions {
  /**
   * Share of the beginning, relative to `tailFraction`. Minimum: 0.
   * @default 0.3
   */
  readonly headFraction?: number | undefined;
  /**
   * Share of the end, relative to `headFraction`. Minimum: 0.
   * @default 0.3
   */
  readonly tailFraction?: number | undefined;
}

/** Result of `middleTruncate`. */
export interface MiddleTruncation {
  readonly text: string;
  /** UTF-16 characters of the original that are not in `text`; 0 if it is unchanged. */
  readonly removedChars: number;
}

/** Takes the middle out of a text; `middleTruncate` for texts and numbers that need no check. */
export function cutMiddle(
  text: string,
  budgetChars: number,
  { headFraction = 0.3, tailFraction = 0.3 }: MiddleTruncateOptions = {},
): MiddleTruncation {
  if (text.length <= budgetChars) return { text, removedChars: 0 };

  const budget = budgetChars > 0 ? Math.floor(budgetChars) : 0;
  // The final count has at most as many digits as the whole length, so the omissionLine cannot outgrow this.
  const room = budget - omissionLine(text.length).length;
  if (room <= 0) {
    const head = text.slice(0, splitsSurrogatePair(text, budget) ? budget - 1 : budget);
    return { text: head, removedChars: text.length - head.length };
  }
  let headEnd = Math.round((room * headFraction) / (headFraction + tailFraction));
  let tailStart = text.length - (room - headEnd);
  if (splitsSurrogatePair(text, headEnd)) headEnd -= 1;
  if (splitsSurrogatePair(text, tailStart)) tailStart += 1;
  const removedChars = tailStart - headEnd;
  return {
    text: text.slice(0, headEnd) + omissionLine(removedChars) + text.slice(tailStart),
    removedChars,
  };
}

function omissionLine(removedChars: number): string {
  // The number has one format for all locales: the same text is always cut the same way.
  return `\n[... ${removedChars.toLocaleString('en-US')} characters omitted ...]\n`;
}
