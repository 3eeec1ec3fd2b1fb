import type { Cut } from '../make-cut.ts';

/** A way to make a text of at most some tokens out of what goes. */
export interface Method {
  readonly name: string;
  readonly compact: (
    cut: Cut,
    budget: number,
    count: (text: string) => number,
  ) => string | Promise<string>;
}
