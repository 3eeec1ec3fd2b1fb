import { SummarizationOptionError } from './summarization-option-error.ts';

/**
 * Checks that a function was given its one object.
 *
 * @param allowed - What the object is to hold.
 * @throws {SummarizationOptionError} when it was not.
 */
export function checkInput(input: unknown, allowed: string): void {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return;
  throw new SummarizationOptionError({
    option: 'input',
    value: input,
    allowed: `an object with ${allowed}`,
  });
}
