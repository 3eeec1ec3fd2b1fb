#!/usr/bin/env node
import { inspect } from './inspect.ts';
import { inspectArguments, usage } from './inspect-arguments.ts';
import { CommandError } from './command/command-error.ts';

// Nobody is to read of deprecated names in a report.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const { argv, stdin, stdout, stderr } = process;

async function run([command, ...rest]: readonly string[]): Promise<void> {
  if (command === undefined || [command, ...rest].includes('--help')) {
    stdout.write(`${usage}\n`);
    return;
  }
  if (command !== 'inspect')
    throw new CommandError(`There is no command ${JSON.stringify(command)}.\n\n${usage}`);
  await inspect(inspectArguments(rest), {
    stdin,
    write: (text) => void stdout.write(text),
    progress: (text) => {
      if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
    },
    columns: Math.min(stdout.columns ?? 100, 160),
  });
}

try {
  await run(argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
