import type { SourceText } from './source-texts.ts';

/** A text that the minutes can quote, and the line on which they do. */
export interface MinutesText extends SourceText {
  /** Number of the line; ascending in the order of the conversation. */
  readonly line: number;
  /** What the line begins with: who speaks, or what was done and how it ended. */
  readonly head: string;
  /** Whether it tells of a tool call: in fields and lines, where others speak in sentences. */
  readonly isCall: boolean;
  /** Whether it is what an extractor made out, which stands in brackets when it is quoted whole. */
  readonly isFacts?: boolean | undefined;
}
