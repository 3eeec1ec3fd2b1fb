import type { ToolExtractor, ToolUse } from '../../tool-summary.ts';
import { errorFacts, errorLine, saysFailed, saysPartial } from './error-text.ts';
import { fact, fieldOf, known, numberOf } from './fields.ts';
import { countLines, firstLine } from './text-lines.ts';

const maxCommandCharacters = 120;

const exitCodePattern = /exit(?:ed)?(?: with)?(?: code| status)?[:= ]+(-?\d{1,5})\b/i;

/** A shell command: command, exit code, lines of output, first error line. */
export const shellExtractor: ToolExtractor = (use) => {
  const command = fieldOf(use.input, ['command', 'cmd', 'script', 'code', 'input', 'args']);
  const exitCode = exitCodeOf(use);
  const failed = exitCode === undefined ? saysFailed(use) : exitCode !== 0 || use.isError;
  const output = fieldOf(use.value, ['stdout', 'output', 'stderr']) ?? use.output;
  const lines = countLines(output);
  const error = errorLine(fieldOf(use.value, ['stderr']) ?? output);
  const status = saysPartial(use) ? 'partial' : 'success';
  return {
    toolName: use.toolName,
    status: failed ? 'error' : status,
    keyFacts: [
      ...fact('Command', command?.slice(0, maxCommandCharacters)),
      ...fact('Exit', exitCode),
      ...fact('Output lines', lines),
      ...(failed ? errorFacts({ ...use, output: errorTail(use, output) }) : fact('Error', error)),
      ...(failed || error !== undefined ? [] : fact('First', firstLine(output)?.slice(0, 80))),
    ],
    metadata: known({ command, exitCode, lines, error }),
  };
};

function exitCodeOf({ value, output }: ToolUse): number | undefined {
  const field = numberOf(value, ['exitCode', 'exit_code', 'returncode', 'returnCode', 'status']);
  if (field !== undefined) return field;
  const found =
    exitCodePattern.exec(output.slice(-300)) ?? exitCodePattern.exec(output.slice(0, 200));
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** From the first error line on: what a failing command printed before it seldom matters. */
function errorTail({ preserveErrorDetails }: ToolUse, output: string): string {
  const line = errorLine(output);
  if (line === undefined || !preserveErrorDetails) return output;
  return output.slice(Math.max(0, output.indexOf(line)));
}
