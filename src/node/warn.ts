/** Told about what is wrong with a file, which is then passed over. */
export type OnWarning = (message: string) => void;

/** Writes a warning to the process, as Node does with its own. */
export function emitWarning(message: string): void {
  process.emitWarning(message, { type: 'SummarizationWarning' });
}
