import type { SummarizationEvent } from './summarization-event.ts';

/** Who is told what happens. */
export interface ReportOptions {
  /** Told what happens. What it throws is ignored. */
  readonly onEvent?: ((event: SummarizationEvent) => void) | undefined;
  /**
   * Writes lines about summarisations, their progress and failed attempts: to `console.debug`, or to a
   * function of your own.
   * @default false
   */
  readonly debug?: boolean | ((line: string) => void) | undefined;
}
