/** What a process is to run of the tests. */
export interface TestOrder {
  readonly root: string;
  /** The source files with faults: the tests run that import them, directly or through others. */
  readonly sourceFiles: readonly string[];
  /** After how many failed tests to stop; 0 for never. */
  readonly bail: number;
  /** Test files that are known to reach the fault. */
  readonly reached: readonly string[];
  /** Only these of them, when given. */
  readonly only?: readonly string[] | undefined;
  /** None of these. */
  readonly except: readonly string[];
  /** What each test file has taken before, in milliseconds. */
  readonly milliseconds: Readonly<Record<string, number>>;
  /** Seconds after which a test has failed that has not ended. */
  readonly limit: number;
}

/** A test that failed. */
export interface FailedTest {
  readonly file: string;
  /** Its names, outer ones first; empty when the file as a whole failed. */
  readonly name: string;
}

/** What came of the tests. */
export interface TestOutcome {
  /** The first failed test of each test file. */
  readonly failed: readonly FailedTest[];
  /** Test files that passed. */
  readonly passed: readonly string[];
  /** What each test file took that ended. */
  readonly milliseconds: Readonly<Record<string, number>>;
}

/** What the process reports: that a test has ended, and in the end the outcome. */
export type TestReport =
  | { readonly type: 'progress' }
  | { readonly type: 'outcome'; readonly outcome: TestOutcome };
