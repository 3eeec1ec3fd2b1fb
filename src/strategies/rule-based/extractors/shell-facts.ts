import { cutAtWord, type ToolUse } from '../../tool-summary.ts';
import { fieldOf, integerField, ownProperty } from './fields.ts';
import { readKnownOutput } from './known-output.ts';
import { countLines, firstLine } from './text-lines.ts';
import { errorLine, fact, saysFailed, toolFacts, type ToolFacts } from './tool-facts.ts';

const maxShownCommand = 120;

const exitCodePattern = /exit(?:ed)?(?: with)?(?: code| status)?[:= ]+(-?\d{1,5})\b/i;

/** A shell command: command, exit code, lines of output, first error line. */
export function shellFacts(use: ToolUse): ToolFacts {
  const { input, value } = use;
  const commandFields = ['command', 'commands', 'cmd', 'script', 'code', 'input', 'args'];
  const command =
    fieldOf(input, commandFields) ?? fieldOf(ownProperty(input, 'action'), commandFields);
  const exitCode = exitCodeOf(use);
  const output = fieldOf(value, ['stdout', 'output', 'stderr']) ?? use.output;
  const known = readKnownOutput(output);
  const says = exitCode === undefined ? saysFailed(use) : exitCode !== 0 || use.isError;
  // Where a command ends with the code of another one, what it printed says more.
  const failed = says || (known?.failed === true && exitCode === undefined);
  return toolFacts(failed ? { ...use, output: errorEnd(use, output) } : use, {
    asked: [
      ...fact('Command', command && cutAtWord(command, maxShownCommand)),
      ...fact('Exit', exitCode),
      ...fact('Output lines', countLines(output)),
      ...(known?.facts ?? []),
    ],
    found: () => {
      if (known !== undefined) return [];
      const error = errorLine(fieldOf(value, ['stderr']) ?? output);
      return error === undefined
        ? fact('First', cutAtWord(firstLine(output) ?? '', 80))
        : fact('Error', error);
    },
    failed,
    metadata: { command, exitCode, outputLines: countLines(output), ...known?.metadata },
  });
}

function exitCodeOf({ value, output }: ToolUse): number | undefined {
  const field = integerField(value, [
    'exitCode',
    'exit_code',
    'returncode',
    'returnCode',
    'status',
  ]);
  if (field !== undefined) return field;
  const found =
    exitCodePattern.exec(output.slice(-300)) ?? exitCodePattern.exec(output.slice(0, 200));
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** From the first error line on: what a failing command printed before it seldom matters. */
function errorEnd({ preserveErrorDetails }: ToolUse, output: string): string {
  const line = preserveErrorDetails ? errorLine(output) : undefined;
  return line === undefined ? output : output.slice(Math.max(0, output.indexOf(line)));
}
