import type { ProposedSummary } from './proposed-summary.ts';

/** What the application has to say about a summary. */
export interface SteeringOptions {
  /**
   * Asked before a summary is made: what would be covered, and what it would cost. `false`: not now, which holds
   * for this call and only while the prompt fits. `{ upTo }`: less of it, up to that index, counted after the
   * leading system messages, from 1 on; moved to the last place up to there at which the conversation may be
   * cut, else to the first one; held to only while the prompt fits. Anything else: as planned. Asked again by
   * each call that would make one, and by `explainSummarization`. One that throws, answers something else or
   * takes longer than 2,000 ms changes nothing, which a `failed` event says.
   * @default none
   */
  readonly onBeforeSummarize?:
    | ((plan: ProposedSummary) => SummaryVerdict | Promise<SummaryVerdict>)
    | undefined;
}

/** What `onBeforeSummarize` may answer. */
export type SummaryVerdict = boolean | { readonly upTo: number } | undefined | void;
