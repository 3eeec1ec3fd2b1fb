#!/usr/bin/env node
import { runCommandLine } from './inspect.ts';
import { CommandError } from './read-conversations.ts';

// Nobody is to read of deprecated names in a report.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const { argv, stdin, stdout, stderr } = process;

try {
  stdout.write(await runCommandLine(argv.slice(2), stdin));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
