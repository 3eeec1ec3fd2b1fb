import { parseArgs } from 'node:util';

/** What the command was given. */
export interface Arguments {
  /** Where faults are planted, with all folders in them. */
  readonly folders: readonly string[];
  readonly seed: number;
  /** How many faults are drawn. */
  readonly count: number;
  /** Only this one of the draw, from 1, again if it has been tried. */
  readonly only: number | undefined;
  /** Seconds without a test that ends, after which a fault counts as caught. */
  readonly limit: number;
}

/** @throws {RangeError} when an argument is wrong, naming it and what is allowed. */
export function parseArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      seed: { type: 'string', default: '7' },
      count: { type: 'string', default: '60' },
      limit: { type: 'string', default: '60' },
      only: { type: 'string' },
    },
  });
  const count = integer('count', values.count, 1);
  return {
    folders: positionals.length > 0 ? positionals : ['src'],
    seed: integer('seed', values.seed, 0),
    count,
    only: values.only === undefined ? undefined : integer('only', values.only, 1, count),
    limit: integer('limit', values.limit, 1),
  };
}

function integer(name: string, text: string, least: number, most = 2 ** 31 - 1): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most)
    throw new RangeError(`--${name} is an integer from ${least} to ${most}, not ${text}.`);
  return value;
}
