#!/usr/bin/env node
import { CommandError } from './command/command-error.ts';
import type { Terminal } from './command/terminal.ts';
import { evalArguments, evalUsage } from './eval/eval-arguments.ts';
import { evaluate } from './evaluate.ts';
import { inspect } from './inspect.ts';
import { inspectArguments, usage } from './inspect-arguments.ts';

// Nobody is to read of deprecated names in a report.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const { argv, stdin, stdout, stderr } = process;

const terminal: Terminal = {
  stdin,
  write: (text) => void stdout.write(text),
  progress: (text) => {
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
  },
  columns: Math.min(stdout.columns ?? 100, 160),
};

const usages: Readonly<Record<string, string>> = { inspect: usage, eval: evalUsage };

async function run([command, ...rest]: readonly string[]): Promise<void> {
  const all = Object.values(usages).join('\n\n');
  if (command === undefined || [command, ...rest].includes('--help'))
    stdout.write(`${usages[command ?? ''] ?? all}\n`);
  else if (command === 'inspect') await inspect(inspectArguments(rest), terminal);
  else if (command === 'eval') {
    const isWhole = await evaluate(evalArguments(rest), terminal);
    if (!isWhole) process.exitCode = 1;
  } else throw new CommandError(`There is no command ${JSON.stringify(command)}.\n\n${all}`);
}

try {
  await run(argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
