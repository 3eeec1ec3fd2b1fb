import type { ToolUse } from '../../tool-summary.ts';
import { fieldOf, integerField, pathFields } from './fields.ts';
import { countLines, eachLine } from './text-lines.ts';
import { fact, saysFailed, toolFacts, type ToolFacts } from './tool-facts.ts';

/** Lines of a file that are looked at for what it exports and imports, and names that are listed. */
const maxLinesOfFile = 400;
const maxNames = 6;

const numbered = /^\s{0,8}\d{1,7}(?:[:|\t→])[ \t]?/;
const declared =
  /^(?:export |pub |public )(?:default |async |abstract |static |declare )*(?:function\*? |class |const |let |interface |type |enum |fn |struct |trait |mod |void |int )?([A-Za-z_$][\w$]*)/;
const definedInPython = /^(?:async )?(?:def|class) ([A-Za-z_]\w*)/;
const imported =
  /^(?:import\b[^'"]{0,200}['"]([^'"]+)|from ([\w.]+) import|import ([\w.]+)|use ([\w:]+)|#include ["<]([^">]+))/;
const required = /\brequire\(['"]([^'"]+)/;

/** A file that was read: path, lines, type, exports, imports. */
export function readFacts(use: ToolUse): ToolFacts {
  const path = fieldOf(use.input, pathFields);
  const text = fieldOf(use.value, ['content', 'contents', 'text']) ?? use.output;
  const linesRead =
    integerField(use.value, ['totalLines', 'total_lines', 'lines']) ?? countLines(text);
  const { exports, imports } = declarations(text);
  const failed = saysFailed(use);
  const hasExports = exports.length > 0;
  const hasImports = imports.length > 0;
  return toolFacts(use, {
    asked: fact('File', path),
    found: () => [
      ...fact('Lines', linesRead),
      ...fact('Type', path === undefined ? undefined : /\.(\w{1,8})$/.exec(path.slice(-40))?.[1]),
      ...fact('Exports', exports.slice(0, maxNames).join(', ')),
      ...fact('Imports', imports.slice(0, maxNames).join(', ')),
    ],
    failed,
    metadata: failed ? { path } : { path, linesRead, hasExports, hasImports },
  });
}

function declarations(text: string): {
  readonly exports: readonly string[];
  readonly imports: readonly string[];
} {
  const exports = new Set<string>();
  const imports = new Set<string>();
  let seen = 0;
  eachLine(text, (numberedLine) => {
    const line = numberedLine.replace(numbered, '');
    const name = declared.exec(line)?.[1] ?? definedInPython.exec(line)?.[1];
    if (name !== undefined) exports.add(name);
    const source = imported.exec(line)?.slice(1).find(Boolean) ?? required.exec(line)?.[1];
    if (source !== undefined) imports.add(source);
    seen += 1;
    return seen < maxLinesOfFile;
  });
  return { exports: [...exports], imports: [...imports] };
}
