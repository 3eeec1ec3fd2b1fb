import { CommandError } from './command/command-error.ts';
import type { Terminal } from './command/terminal.ts';
import { evalArguments, evalUsage } from './eval/eval-arguments.ts';
import { evaluate } from './evaluate.ts';
import { inspect } from './inspect.ts';
import { inspectArguments, usage } from './inspect-arguments.ts';

interface Command {
  readonly usage: string;
  /** Returns whether nothing is left undone. */
  readonly run: (given: readonly string[], terminal: Terminal) => Promise<boolean>;
}

const commands: ReadonlyMap<string | undefined, Command> = new Map([
  [
    'inspect',
    { usage, run: async (given, to) => inspect(inspectArguments(given), to).then(() => true) },
  ],
  ['eval', { usage: evalUsage, run: async (given, to) => evaluate(evalArguments(given), to) }],
]);

/**
 * Runs the command that arguments begin with.
 *
 * @returns whether nothing is left undone.
 * @throws {CommandError} for what the user can mend.
 */
export async function runCommandLine(
  [name, ...given]: readonly string[],
  terminal: Terminal,
): Promise<boolean> {
  const command = commands.get(name);
  const all = [...commands.values()].map((each) => each.usage).join('\n\n');
  if (name === undefined || [name, ...given].includes('--help'))
    terminal.write(`${command?.usage ?? all}\n`);
  else if (command !== undefined) return command.run(given, terminal);
  else throw new CommandError(`There is no command ${JSON.stringify(name)}.\n\n${all}`);
  return true;
}
