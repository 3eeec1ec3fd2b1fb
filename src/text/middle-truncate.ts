import { checkInput, checkObject, checkTexts, checkThat } from '../checks/check-object.ts';
import { numberThat } from '../checks/option-rule.ts';
import {
  cutMiddle,
  type MiddleTruncateOptions,
  type MiddleTruncation,
} from '../tokens/text/cut-middle.ts';

const fraction = numberThat('a number of at least 0', { from: 0 });

/**
 * Shortens a text to at most `budgetChars` UTF-16 characters by taking out its middle. Head and tail
 * fill the budget in the proportion `headFraction : tailFraction`, around a line that says how much
 * is missing. A text within the budget comes back unchanged; a budget too small for that line gives
 * the beginning of the text alone. A surrogate pair is never split.
 *
 * @throws {SummarizationOptionError} naming the argument that is wrong, and what is allowed.
 */
export function middleTruncate(
  text: string,
  budgetChars: number,
  options: MiddleTruncateOptions = {},
): MiddleTruncation {
  checkTexts({ text });
  const isNumber = typeof budgetChars === 'number' && !Number.isNaN(budgetChars);
  checkThat(isNumber, 'budgetChars', budgetChars, 'a number of characters');
  checkInput(options, 'headFraction and tailFraction, or nothing');
  checkObject(options, { headFraction: fraction, tailFraction: fraction }, '');
  const { headFraction, tailFraction } = options;
  const isShared = headFraction !== 0 || tailFraction !== 0;
  checkThat(isShared, 'headFraction', headFraction, 'a number above 0 unless tailFraction is');
  return cutMiddle(text, budgetChars, options);
}
