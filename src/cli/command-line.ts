import { parseArgs } from 'node:util';
import { messageOf } from '../util/errors.ts';
import { inspect, type InspectArguments } from './inspect.ts';
import { CommandError, type Terminal } from './terminal.ts';

const usage = `Usage: ai-sdk-summarization inspect <file> [options]

Shows what the middleware would do with conversations of yours. Nothing leaves this machine unless you say --live.

  <file>               a list of messages, an object with messages, or either as JSON lines; - for standard input. Messages
                       of the AI SDK (UI or model), OpenAI (Chat Completions, items of Responses) or Anthropic, sessions
                       of Claude Code
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

/**
 * Runs the command that arguments begin with.
 *
 * @throws {CommandError} for what the user can mend, in one line.
 */
export async function runCommandLine(given: readonly string[], terminal: Terminal): Promise<void> {
  const [name, ...others] = given;
  if (name === undefined || given.includes('--help')) terminal.write(`${usage}\n`);
  else if (name === 'inspect') await inspect(inspectArguments(others), terminal);
  else throw new CommandError(`There is no command ${JSON.stringify(name)}, only inspect; ${help}`);
}

const help = 'ai-sdk-summarization --help says how it is used.';

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
function inspectArguments(args: readonly string[]): InspectArguments {
  const { values, files } = parsed(args);
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw new CommandError(`Name one file, not ${files.length}; ${help}`);
  const { live, model, provider, json, html } = values;
  const strategy = values.strategy ?? (live ? 'llm' : 'rule-based');
  if (strategy !== 'llm' && strategy !== 'rule-based' && strategy !== 'none')
    throw wrong('--strategy', strategy, 'rule-based, none or llm');
  if (live && (model === undefined || strategy !== 'llm'))
    throw new CommandError('--live needs a --model, and writes with the strategy llm.');
  if (!live && (strategy === 'llm' || provider !== undefined))
    throw new CommandError('A model writes with --live alone: say --live, and --model which one.');
  const contexts = (values.context?.split(',') ?? []).map((text) =>
    numberOf('--context', text, 1000, 'integers of at least 1000, with commas between them'),
  );
  const price =
    values.price === undefined
      ? undefined
      : numberOf('--price', values.price, 0, 'a number of at least 0');
  return { file, strategy, contexts, model, live, provider, price, json, html };
}

function parsed(args: readonly string[]) {
  try {
    const { values, positionals: files } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
    });
    return { values, files };
  } catch (error) {
    // The rest of it says how to escape a file that is called like an option.
    const [reason = ''] = messageOf(error).split(/\. |\n/);
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new CommandError(`${reason}; there are ${names.join(', ')}; ${help}`);
  }
}

function numberOf(option: string, text: string, least: number, allowed: string): number {
  const value = Number(text);
  const isWhole = least === 0 || Number.isSafeInteger(value);
  if (text.trim() === '' || !Number.isFinite(value) || !isWhole || value < least)
    throw wrong(option, text, allowed);
  return value;
}

function wrong(option: string, value: string, allowed: string): CommandError {
  return new CommandError(`${option} is ${JSON.stringify(value)}; allowed: ${allowed}.`);
}
