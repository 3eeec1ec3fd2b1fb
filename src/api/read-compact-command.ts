import { checkTexts } from '../checks/check-object.ts';

/** What a `/compact` command asks for: options of the call that makes the summary. */
export interface CompactCommand {
  readonly force: true;
  /** What the summary should look to: what stands behind the command. */
  readonly instructions?: string;
}

/**
 * Reads what a user has typed: `/compact`, or `/compact keep the API design`.
 *
 * @example
 * const summarization = { conversationId, ...readCompactCommand(text) } satisfies SummarizationCallOptions;
 *
 * @returns what `providerOptions.summarization` takes; `undefined` for every other text.
 * @throws {SummarizationOptionError} when it is no text.
 */
export function readCompactCommand(text: string): CompactCommand | undefined {
  checkTexts({ text });
  const [command, ...words] = text.trim().split(/(\s)/);
  if (command !== '/compact') return undefined;
  const instructions = words.join('').trim();
  return { force: true, ...(instructions === '' ? {} : { instructions }) };
}
