import { count, plain } from '../../report/figures.ts';
import { difference, remarks, seconds, sentences, share } from './eval-figures.ts';
import type { Evaluation, MethodFigures } from './evaluation.ts';

/** Writes an evaluation for a terminal: a line for each method, and what is to be known. */
export function evalTerminalReport(evaluation: Evaluation): string {
  const { methods } = evaluation;
  const [first] = methods;
  const header = [
    'method',
    'right (95 %)',
    `against ${first?.method ?? ''}`,
    'input tokens',
    'summaries',
    'cost',
    'latency, 95th',
  ];
  const rows = [header, ...methods.map(row)];
  const widths = header.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const table = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = methods.flatMap((figures) =>
    remarks(figures).map((remark) => `${figures.method}: ${remark}`),
  );
  const [about = '', ...more] = sentences(evaluation);
  return [about, '', ...table, '', ...notes, ...more].map(plain).join('\n').trimEnd();
}

function row(figures: MethodFigures): readonly string[] {
  const { method, accuracy, inputTokens, preparing, dollars, medianMs, slowMs } = figures;
  return [
    method,
    share(accuracy),
    difference(figures.difference),
    count(inputTokens),
    count(preparing.summaries),
    dollars === undefined ? '-' : `$${dollars.toFixed(2)}`,
    `${seconds(medianMs)}, ${seconds(slowMs)}`,
  ];
}
