import { CommandError } from './command-error.ts';
import { messageOf } from '../../util/errors.ts';

/**
 * Reads the arguments of a command that takes one file.
 *
 * @throws {CommandError} with the usage, for an unknown option, and for no file or several.
 */
export function withOneFile<Values>(
  usage: string,
  parse: () => { readonly values: Values; readonly positionals: readonly string[] },
): Values & { readonly file: string } {
  const { values, positionals } = orUsage(usage, parse);
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new CommandError(`Name one file.\n\n${usage}`);
  return { ...values, file };
}

function orUsage<Parsed>(usage: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    throw new CommandError(`${messageOf(error)}\n\n${usage}`);
  }
}

/** @throws {CommandError} for what is no integer of at least `least`. */
export function integerOf(
  option: string,
  text: string,
  least: number,
  allowed = `an integer of at least ${least}`,
): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least)
    throw wrong(option, text, allowed);
  return value;
}

/** @throws {CommandError} for what is no number of at least 0. */
export function amountOf(option: string, text: string, allowed = 'a number of at least 0'): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw wrong(option, text, allowed);
  return value;
}

/** The error for a value of an option that is not allowed. */
export function wrong(option: string, value: string, allowed: string): CommandError {
  return new CommandError(`${option} is ${JSON.stringify(value)}; allowed: ${allowed}.`);
}
