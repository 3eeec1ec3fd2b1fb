/** One thing that a store or a strategy has to do, for any test runner. */
export interface StoreCheck {
  readonly name: string;
  /** Rejects when it does otherwise. */
  readonly run: () => Promise<void>;
}

/** Checks by their names, each given what is checked. */
export type ChecksOf<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** Makes checks for any test runner, each with a subject of its own. */
export function checksFor<Subject>(
  checks: ChecksOf<Subject>,
  make: () => Promise<Subject>,
): readonly StoreCheck[] {
  return Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => check(await make()),
  }));
}

/**
 * Throws unless two values say the same as JSON.
 *
 * @throws {Error} with both values, or their ends where they are long.
 */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (got !== wanted) throw new Error(`${what}: expected ${shown(wanted)}, got ${shown(got)}`);
}

/** Values of a megabyte would leave nothing else to see. */
function shown(json = ''): string {
  return json.length > 2000 ? `${json.slice(0, 1000)} ... ${json.slice(-1000)}` : json;
}

/** Texts that are easily taken for something else. None holds a lone surrogate: not every store can keep those. */
export const awkwardTexts: readonly string[] = [
  '',
  ' ',
  '\n\n\n',
  '\r\nlines\r\nof\rall\nkinds\r\n',
  '---\nid: forged\n---\n\nafter a fence',
  'before a fence\n---\n',
  '\ufeffafter a byte order mark',
  'null',
  '"quoted"',
  "it's: [a, b] # {c} & *d | e > f % g @ h `i`",
  '\t\v\f\u0000\u001b\u007f\u0085\u00a0\u2028\u2029\u202e',
  '😀👩‍👩‍👧‍👦 ελληνικά 日本語 עברית',
  '../../../etc/passwd',
  "'; DROP TABLE summaries; --",
  '{"$ne": null}',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":1}}',
  'long '.repeat(20_000),
];
