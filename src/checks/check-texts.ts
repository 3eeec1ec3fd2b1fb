import { SummarizationOptionError } from '../errors/summarization-option-error.ts';

/**
 * Checks that arguments are strings.
 *
 * @param texts - The arguments by their names.
 * @param allowed - What they may be.
 * @throws {SummarizationOptionError} naming the first that is none, or that is empty where it must not be.
 */
export function checkTexts(
  texts: Readonly<Record<string, unknown>>,
  allowed: 'a string' | 'a string that is not empty' = 'a string',
): void {
  for (const [option, value] of Object.entries(texts)) {
    if (typeof value === 'string' && (value !== '' || allowed === 'a string')) continue;
    throw new SummarizationOptionError({ option, value, allowed });
  }
}
