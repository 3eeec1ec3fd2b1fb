/** A summary to be made by another process: plain JSON, which `prepareSummary` takes. */
export type SummaryJob = {
  /**
   * The same for all jobs that one summary is wanted by: where the queue takes an id of the caller's, a job that
   * waits already is not added again.
   */
  readonly id: string;
  /** The namespace of the call. */
  readonly namespace: string;
  /** The conversation of the call, if it carried an id. */
  readonly conversationId?: string;
  /** The call, compressed, encrypted and sealed under the secret: what a queue holds says nothing. */
  readonly call: string;
};

/** A queue of the application, by which other processes get their work. */
export interface SummaryQueue {
  /** Adds a job. Called within the request, before the model, which does not wait for it. */
  readonly enqueue: (job: SummaryJob) => unknown;
}
