import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/run-command-line.ts';
import { runCommand } from './run-command.ts';

async function outputOf(...given: readonly string[]): Promise<string> {
  return (await runCommand('', async (terminal) => runCommandLine(given, terminal))).output;
}

describe('the command line', () => {
  it.each([[[]], [['--help']], [['nothing', '--help']], [['constructor', '--help']]])(
    'says how all commands are used: %j',
    async (given) => {
      const output = await outputOf(...given);
      expect(output).toMatch(/^Usage: .* inspect <file>[^]*\nUsage: .* eval <file>/);
    },
  );

  it('says how one command is used', async () => {
    await expect(outputOf('eval', 'chat.json', '--help')).resolves.toMatch(
      /^Usage: .* eval <file>/,
    );
    await expect(outputOf('inspect', '--help')).resolves.not.toContain('--judge');
  });

  it.each(['constructor', 'summarise'])('has no command %j', async (name) => {
    await expect(outputOf(name)).rejects.toThrow(`There is no command "${name}".\n\nUsage: `);
  });
});
