#!/usr/bin/env node
import { CommandError, runCommandLine } from './inspect.ts';

// Nobody is to read of deprecated names in a report.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const { argv, stdin, stdout, stderr } = process;
const progress = (text: string): void => {
  if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
};

try {
  const write = (text: string): void => void stdout.write(text);
  const columns = Math.min(stdout.columns ?? 100, 160);
  await runCommandLine(argv.slice(2), { stdin, write, progress, columns });
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  progress('');
  stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
