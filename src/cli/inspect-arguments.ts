import { parseArgs } from 'node:util';
import { CommandError } from './command/command-error.ts';
import { amountOf, integerOf, withOneFile, wrong } from './command/options.ts';

/** What `inspect` is asked for. */
export interface InspectArguments {
  readonly file: string;
  readonly strategy: 'llm' | 'rule-based' | 'none';
  /** Context lengths to try, in tokens; those of `model` where there are none. */
  readonly contexts: readonly number[];
  readonly model: string | undefined;
  readonly live: boolean;
  /** Package or file that exports the provider of the model that writes; the AI Gateway where there is none. */
  readonly provider: string | undefined;
  /** Dollars for a million input tokens. */
  readonly price: number | undefined;
  readonly json: boolean;
  /** Where the page is written. */
  readonly html: string | undefined;
}

export const usage = `Usage: ai-sdk-summarization inspect <file> [options]

Shows what the middleware would do with conversations of yours. Nothing leaves this machine unless you say --live.

  <file>               messages of the AI SDK (UI or model), OpenAI or Anthropic, as JSON or JSON lines; - for standard input
  --context <tokens>   context length to try; several with commas (default: of --model, else 16000,64000,200000)
  --model <name>       names the context length, such as openai/gpt-5-mini; with --live the model that writes
  --strategy <name>    rule-based (default), none, or llm, which needs --live
  --live               lets --model write the summaries
  --provider <module>  with --live: package or file that exports the provider, such as @ai-sdk/openai; then --model is as
                       it has it (default: the AI Gateway, AI_GATEWAY_API_KEY)
  --price <dollars>    of a million input tokens, for an estimate of the cost
  --json               prints everything as JSON
  --html <file>        writes one self-contained page
  --help               prints this`;

const options = {
  context: { type: 'string' },
  model: { type: 'string' },
  strategy: { type: 'string' },
  live: { type: 'boolean', default: false },
  provider: { type: 'string' },
  price: { type: 'string' },
  json: { type: 'boolean', default: false },
  html: { type: 'string' },
} as const;

/** @throws {CommandError} naming what is wrong and what is allowed. */
export function inspectArguments(given: readonly string[]): InspectArguments {
  const { file, live, model, provider, json, html, ...values } = withOneFile(usage, () =>
    parseArgs({ args: [...given], options, allowPositionals: true }),
  );
  const strategy = values.strategy ?? (live ? 'llm' : 'rule-based');
  if (strategy !== 'llm' && strategy !== 'rule-based' && strategy !== 'none')
    throw wrong('--strategy', strategy, 'rule-based, none or llm');
  if (live && (model === undefined || strategy !== 'llm'))
    throw new CommandError('--live needs a --model, and writes with the strategy llm.');
  if (strategy === 'llm' && !live)
    throw new CommandError('--strategy llm asks a model: say --live, and --model which one.');
  if (provider !== undefined && !live)
    throw new CommandError(
      '--provider is of the model that writes: say --live, and --model which one.',
    );
  const contexts = (values.context?.split(',') ?? []).map((text) =>
    integerOf('--context', text, minContext, manyContexts),
  );
  const price = values.price === undefined ? undefined : amountOf('--price', values.price);
  return { file, strategy, contexts, model, live, provider, price, json, html };
}

const minContext = 1000;
const manyContexts = `integers of at least ${minContext}, with commas between them`;
