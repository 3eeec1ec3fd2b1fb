/** A change of one expression that a test should notice, as the mutation tool made it. */
export interface Fault {
  /** Path from the root of the repository, with slashes. */
  readonly file: string;
  /** Line and column from 1. */
  readonly line: number;
  readonly column: number;
  /** Where the original text begins and ends in the file. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
  /** The tool's name for the kind of change. */
  readonly mutator: string;
}
