#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { CommandError, type Terminal } from './terminal.ts';

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

try {
  await runCommandLine(argv.slice(2), terminal);
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  terminal.progress('');
  stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
