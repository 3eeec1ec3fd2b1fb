import type { ToolExtractor } from '../../tool-summary.ts';
import { errorFacts, saysFailed, saysPartial } from './error-text.ts';
import { fact, fieldOf, known, numberOf, pathFields } from './fields.ts';
import { countLines, eachLine } from './text-lines.ts';

/** Lines of a file that are looked at for what it exports and imports, and names that are listed. */
const maxLines = 400;
const maxNames = 6;

const numbered = /^\s{0,8}\d{1,7}(?:[:|\t→])[ \t]?/;
const declared =
  /^(?:export |pub |public )(?:default |async |abstract |static |declare )*(?:function\*? |class |const |let |interface |type |enum |fn |struct |trait |mod |void |int )?([A-Za-z_$][\w$]*)/;
const definedInPython = /^(?:async )?(?:def|class) ([A-Za-z_]\w*)/;
const imported =
  /^(?:import\b[^'"]{0,200}['"]([^'"]+)|from ([\w.]+) import|import ([\w.]+)|use ([\w:]+)|#include ["<]([^">]+))/;
const required = /\brequire\(['"]([^'"]+)/;

/** A file that was read: path, lines, type, exports, imports. */
export const readFileExtractor: ToolExtractor = (use) => {
  const path = fieldOf(use.input, pathFields);
  if (saysFailed(use)) {
    return {
      toolName: use.toolName,
      status: 'error',
      keyFacts: [...fact('File', path), ...errorFacts(use)],
      metadata: known({ path }),
    };
  }
  const text = fieldOf(use.value, ['content', 'contents', 'text']) ?? use.output;
  const lines = numberOf(use.value, ['totalLines', 'total_lines', 'lines']) ?? countLines(text);
  const { exports, imports } = declarations(text);
  const type = path === undefined ? undefined : /\.(\w{1,8})$/.exec(path.slice(-40))?.[1];
  return {
    toolName: use.toolName,
    status: saysPartial(use) ? 'partial' : 'success',
    keyFacts: [
      ...fact('File', path),
      ...fact('Lines', lines),
      ...fact('Type', type),
      ...fact('Exports', exports.slice(0, maxNames).join(', ')),
      ...fact('Imports', imports.slice(0, maxNames).join(', ')),
    ],
    metadata: known({ path, lines, type, exports, imports }),
  };
};

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
    return seen < maxLines;
  });
  return { exports: [...exports], imports: [...imports] };
}
