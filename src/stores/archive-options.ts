/** What is kept of the messages that summaries stand for. */
export interface ArchiveOptions {
  /**
   * Bytes of the largest file that is kept as it is. Of a larger one the archive says its type, size and
   * SHA-256. 0: of every file. Minimum: 0.
   * @default 1_048_576 (1 MiB)
   */
  readonly maxFileBytes?: number | undefined;
}
