import { cutAtWord } from '../../tool-summary.ts';
import { eachLine } from './text-lines.ts';
import { readTable } from './read-table.ts';
import { fact } from './tool-facts.ts';
import { readTestRun } from './test-run.ts';
import { patchedFiles, patchedLines } from './write-facts.ts';

/** What is known of an output of a shape that many tools print. */
export interface KnownOutput {
  readonly facts: readonly string[];
  /** Whether it says that something failed. */
  readonly failed: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Reads the outputs of test runners, compilers and linters, diffs, answers of HTTP servers, tables. */
export function readKnownOutput(text: string): KnownOutput | undefined {
  return testsIn(text) ?? diagnosticsIn(text) ?? diffIn(text) ?? responseIn(text) ?? tableIn(text);
}

function testsIn(text: string): KnownOutput | undefined {
  const run = readTestRun(text);
  if (run === undefined) return undefined;
  const { passed, failed, names } = run;
  return {
    facts: [`Tests: ${passed} passed, ${failed} failed`, ...fact('Failed', names.join('; '))],
    failed: failed > 0,
    metadata: { testsPassed: passed, testsFailed: failed },
  };
}

const diagnostic =
  /^(?:\S{1,160}[:(]\d{1,6}[:,]\d{1,6}\)?:? (?:- )?(?:fatal )?(error|warning)\b|(error|warning)(?:\[[A-Z]\d+\])?: |\s{1,6}\d{1,6}:\d{1,6}\s{1,6}(error|warning)\s)/;

function diagnosticsIn(text: string): KnownOutput | undefined {
  let errors = 0;
  let warnings = 0;
  let first: string | undefined;
  eachLine(text, (line) => {
    const [found, ...kinds] = diagnostic.exec(line) ?? [];
    if (found === undefined) return true;
    if (kinds.includes('error')) errors += 1;
    else warnings += 1;
    if (first === undefined || (errors === 1 && kinds.includes('error'))) first = line.trim();
    return true;
  });
  if (first === undefined) return undefined;
  return {
    facts: [
      `Errors: ${errors}`,
      ...(warnings === 0 ? [] : [`Warnings: ${warnings}`]),
      `First: ${first}`,
    ],
    failed: errors > 0,
    metadata: { errorCount: errors, warningCount: warnings },
  };
}

const changedFiles = /^\s{0,4}(\d{1,7}) files? changed/;
const maxFiles = 4;

function diffIn(text: string): KnownOutput | undefined {
  const isDiff = /^(?:diff --git |--- a\/|\*\*\* Begin Patch)/m.test(text.slice(0, 4000));
  if (isDiff) {
    const files = patchedFiles(text);
    const { added, removed } = patchedLines(text);
    return {
      facts: [
        `Diff: ${files.length} files, +${added} -${removed} lines`,
        ...fact('Files', files.slice(0, maxFiles).join(', ')),
      ],
      failed: false,
      metadata: { fileCount: files.length, linesAdded: added, linesRemoved: removed },
    };
  }
  let stat: string | undefined;
  eachLine(text, (line) => {
    if (changedFiles.test(line)) stat = line.trim();
    return true;
  });
  if (stat === undefined) return undefined;
  const fileCount = Number(changedFiles.exec(stat)?.[1]);
  return { facts: [`Diff: ${stat}`], failed: false, metadata: { fileCount } };
}

const statusLine = /^(?:< )?HTTP\/\d(?:\.\d)? (\d{3})(?: ([\w -]{0,60}))?/;
const typeLine = /^(?:< )?content-type: ?([\w./+-]{1,80})/i;

/** Of several answers, as where a server redirects, the last. */
function responseIn(text: string): KnownOutput | undefined {
  let status: string | undefined;
  let reason = '';
  let type: string | undefined;
  eachLine(text, (line) => {
    const [, code, phrase = ''] = statusLine.exec(line) ?? [];
    if (code !== undefined) [status, reason, type] = [code, phrase, undefined];
    else if (status !== undefined) type ??= typeLine.exec(line)?.[1];
    return true;
  });
  if (status === undefined) return undefined;
  return {
    facts: [`HTTP: ${`${status} ${reason}`.trim()}`, ...fact('Type', type)],
    failed: Number(status) >= 400,
    metadata: { statusCode: Number(status) },
  };
}

function tableIn(text: string): KnownOutput | undefined {
  const table = readTable(text);
  if (table === undefined) return undefined;
  const { columns, rows } = table;
  return {
    facts: [`Rows: ${rows}`, `Columns: ${cutAtWord(columns.join(', '), 120)}`],
    failed: false,
    metadata: { rowCount: rows, columns },
  };
}
