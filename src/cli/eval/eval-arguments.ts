import { parseArgs } from 'node:util';
import { CommandError } from '../command/command-error.ts';
import { amountOf, integerOf, withOneFile, wrong } from '../command/options.ts';
import { isMethodName, methods, type MethodName } from './methods/methods.ts';
import type { Price } from './metered-model.ts';

/** What `eval` is asked for. */
export interface EvalArguments {
  readonly file: string;
  readonly model: string;
  readonly judge: string;
  /** Package or file that exports the provider of both. */
  readonly provider: string | undefined;
  readonly methods: readonly MethodName[];
  readonly runs: number;
  /** Questions to ask; all where there is none. */
  readonly questions: number | undefined;
  /** Tokens; those of the model where there are none. */
  readonly context: number | undefined;
  /** Tokens of any answer or summary. */
  readonly maxOutput: number | undefined;
  readonly price: Price | undefined;
  readonly judgePrice: Price | undefined;
  /** Dollars. */
  readonly maxCost: number | undefined;
  readonly concurrency: number;
  readonly journal: string;
  readonly json: boolean;
  readonly html: string | undefined;
}

export const evalUsage: string = `Usage: ai-sdk-summarization eval <file> --model <name> --judge <name> [options]

Asks questions about long conversations, with the whole history, through the middleware and otherwise, and has the
answers judged. Conversations go to the named models and nowhere else.

  <file>                 LongMemEval, LoCoMo, or objects with messages and questions, as JSON or JSON lines
  --model <name>         model that answers and summarises, such as openai/gpt-5-mini
  --judge <name>         model that judges the answers
  --provider <module>    package or file that exports the provider of both, such as @ai-sdk/openai; then names are as
                         it has them (default: the AI Gateway, AI_GATEWAY_API_KEY)
  --methods <names>      with commas, compared to the first (default: ${Object.keys(methods).join()})
  --runs <number>        times each question is asked (default: 1)
  --questions <number>   asks so many of the questions, always the same (default: all)
  --context <tokens>     context length that methods keep to (default: of --model)
  --max-output <tokens>  of any answer or summary (default: a quarter of the context, 8000 at most)
  --price <in>,<out>     dollars for a million tokens of --model; --judge-price for those of --judge
  --max-cost <dollars>   makes no call that could exceed it, with all that was paid before; needs the prices
  --concurrency <number> calls at once (default: 4)
  --journal <file>       keeps what was done, and is taken up again (default: <file>.eval.jsonl)
  --json                 prints everything as JSON
  --html <file>          writes one self-contained page
  --help                 prints this`;

const text = { type: 'string' } as const;
const options = {
  model: text,
  judge: text,
  provider: text,
  methods: text,
  runs: { type: 'string', default: '1' },
  questions: text,
  context: text,
  'max-output': text,
  price: text,
  'judge-price': text,
  'max-cost': text,
  concurrency: { type: 'string', default: '4' },
  journal: text,
  json: { type: 'boolean', default: false },
  html: text,
} as const;

/** @throws {CommandError} naming what is wrong and what is allowed. */
export function evalArguments(given: readonly string[]): EvalArguments {
  const values = withOneFile(evalUsage, () =>
    parseArgs({ args: [...given], options, allowPositionals: true }),
  );
  const { file, model, judge, provider, json, html } = values;
  if (model === undefined || judge === undefined)
    throw new CommandError(`Name a --model that answers and a --judge.\n\n${evalUsage}`);
  if (file === '-' && values.journal === undefined)
    throw new CommandError('Name a --journal where the file is standard input.');
  const price = priceOf('--price', values.price);
  const judgePrice =
    priceOf('--judge-price', values['judge-price']) ?? (judge === model ? price : undefined);
  const maxCost = ifGiven(values['max-cost'], (dollars) => amountOf('--max-cost', dollars));
  if (maxCost !== undefined && (price === undefined || judgePrice === undefined))
    throw new CommandError(
      `--max-cost needs ${price === undefined ? '--price' : '--judge-price'}: the package knows no prices.`,
    );
  return {
    file,
    model,
    judge,
    provider,
    methods: methodsOf(values.methods),
    runs: integerOf('--runs', values.runs, 1),
    questions: ifGiven(values.questions, (number) => integerOf('--questions', number, 1)),
    context: ifGiven(values.context, (tokens) => integerOf('--context', tokens, 1000)),
    maxOutput: ifGiven(values['max-output'], (tokens) => integerOf('--max-output', tokens, 1)),
    price,
    judgePrice,
    maxCost,
    concurrency: integerOf('--concurrency', values.concurrency, 1),
    journal: values.journal ?? `${file}.eval.jsonl`,
    json,
    html,
  };
}

function ifGiven<Value>(
  given: string | undefined,
  read: (given: string) => Value,
): Value | undefined {
  return given === undefined ? undefined : read(given);
}

function methodsOf(given: string = Object.keys(methods).join()): readonly MethodName[] {
  const names = [...new Set(given.split(',').map((name) => name.trim()))];
  if (names.every(isMethodName)) return names;
  throw wrong('--methods', given, `${Object.keys(methods).join(', ')}, with commas between them`);
}

function priceOf(option: string, given: string | undefined): Price | undefined {
  if (given === undefined) return undefined;
  const allowed = 'two numbers of at least 0 with a comma between them, for input and output';
  const [input, output, ...more] = given.split(',').map((part) => part.trim());
  if (input === undefined || output === undefined || more.length > 0)
    throw wrong(option, given, allowed);
  return { input: amountOf(option, input, allowed), output: amountOf(option, output, allowed) };
}
