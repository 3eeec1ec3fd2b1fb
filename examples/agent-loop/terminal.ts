import { styleText } from 'node:util';
import type { SummarizationEvent, SummaryRecord } from 'ai-sdk-summarization';
import type { LoopResult, Observer } from './loop.ts';
import { cut, number, wrap } from './text-layout.ts';

/** Where and how the loop is shown. */
export interface TerminalOptions {
  readonly write: (text: string) => void;
  /** Columns of the terminal. */
  readonly width: number;
  readonly colors: boolean;
  /** Tokens the model accepts. */
  readonly limit: number;
}

/** Shows the loop line by line. */
export interface Terminal extends Observer {
  readonly title: (lines: readonly string[]) => void;
  readonly onEvent: (event: SummarizationEvent) => void;
  readonly result: (result: LoopResult) => void;
}

const barCells = 20;

/** Creates the view of the demo. Lines keep within 60 to 100 columns. */
export function createTerminal({ write, colors, limit, ...options }: TerminalOptions): Terminal {
  const width = Math.max(60, Math.min(options.width, 100));
  const color = (style: Parameters<typeof styleText>[0], text: string): string =>
    colors ? styleText(style, text, { validateStream: false }) : text;
  const print = (line = ''): void => {
    write(`${line}\n`);
  };
  const printWrapped = (text: string, first: string, next: string): void => {
    for (const [index, line] of wrap(text, width - first.length).entries()) {
      print(color('dim', index === 0 ? first : next) + line);
    }
  };
  const actionWidth = width - barCells - 24;
  let known = new Set<string>();
  let applied: string | undefined;
  let isNew = false;
  let longestMs = 0;

  return {
    title: (lines) => {
      const [headline = '', ...rest] = lines;
      print(color('bold', headline));
      for (const line of rest) print(line);
    },
    onRequest: (request) => {
      print();
      printWrapped(request, '> ', '  ');
      print(
        color(
          'dim',
          `${'call'.padEnd(6 + actionWidth)}█ sent ░ full ▏limit ${'sent'.padStart(7)}${'full'.padStart(8)}`,
        ),
      );
    },
    onCall: (action, { calls, sent, full, heldMs }) => {
      const line = cut(action, actionWidth).padEnd(actionWidth);
      const saved =
        full > sent ? color('yellow', number(full).padStart(8)) : number(full).padStart(8);
      print(
        `${color('dim', String(calls).padStart(4))}  ${line}${bar(sent, full)} ${number(sent).padStart(7)}${saved}`,
      );
      if (isNew) {
        longestMs = Math.max(longestMs, heldMs);
        print(
          color('cyan', `      ↳ with a new summary, after a wait of ${Math.round(heldMs)} ms`),
        );
      }
      isNew = false;
    },
    onAnswer: (answer) => {
      for (const line of answer.split('\n')) printWrapped(line, '      ', '        ');
    },
    onQuizAnswer: ({ question }, answer, right) => {
      printWrapped(question, '      ? ', '        ');
      const mark = right ? color('green', '✓') : color('red', '✗');
      for (const [index, line] of wrap(answer.replace(/^- /, ''), width - 8).entries()) {
        print(`      ${index === 0 ? mark : ' '} ${line}`);
      }
    },
    onEvent: (event) => {
      if (event.type === 'end') showRecord(event);
      else if (event.type === 'applied') {
        isNew ||= event.recordId !== applied;
        applied = event.recordId;
      } else {
        const note = noteOf(event);
        if (note !== undefined) print(color('red', `      ! ${note}`));
      }
    },
    result: ({ reading, rightAnswers, quizLength }) => {
      const { totalFull, totalSent, summarizerTokens } = reading;
      const saved = totalFull - totalSent - summarizerTokens;
      const rows: readonly (readonly [string, number, string])[] = [
        ['Calls of the agent', reading.calls, ''],
        [
          'Calls of the summarizing model',
          reading.summarizerCalls,
          `${number(summarizerTokens)} tokens read`,
        ],
        ['Most tokens ever sent', reading.mostSent, `limit ${number(limit)}`],
        [
          'Full history at the end',
          reading.full,
          `${(reading.full / limit).toFixed(1)} x the limit`,
        ],
        ['Tokens sent with full history', totalFull, 'no model of this size accepts that'],
        ['Tokens sent', totalSent, ''],
        ['Longest wait for a summary', Math.round(longestMs), 'milliseconds'],
        ['Tokens saved', saved, `${Math.round((100 * saved) / totalFull)} %, summaries included`],
      ];
      print();
      for (const [name, value, remark] of rows) {
        print(`${name.padEnd(32)}${number(value).padStart(10)}  ${color('dim', remark)}`.trimEnd());
      }
      const style = rightAnswers === quizLength ? 'green' : 'red';
      print(`${'Quiz'.padEnd(32)}${color(style, `${rightAnswers} of ${quizLength}`.padStart(10))}`);
    },
  };

  function bar(sent: number, full: number): string {
    const cells = (tokens: number): number =>
      Math.min(barCells, Math.round((tokens / limit) * barCells));
    const filled = '█'.repeat(cells(sent));
    const rest = '░'.repeat(cells(full) - cells(sent));
    const end = full > limit ? color('yellow', '▸') : color('dim', '▏');
    return (
      color('green', filled) + color('yellow', rest) + ' '.repeat(barCells - cells(full)) + end
    );
  }

  function showRecord(event: SummarizationEvent & { readonly type: 'end' }): void {
    const { record, coveredMessages, tokensBefore, tokensAfter } = event;
    const restart = record.depth === 0 && record.parentId !== undefined ? ', rebase' : '';
    print(
      color('cyan', `      ╭ summary-depth:${record.depth}${restart}`) +
        color('dim', ` · covers ${coveredMessages} messages`) +
        color('dim', ` · ${number(tokensBefore)} → ${number(tokensAfter)} tokens`),
    );
    printWrapped(record.summary, '      │ ', '      │ ');
    const items = itemsOf(record);
    for (const item of items.filter((entry) => !known.has(entry))) {
      printWrapped(item, '      │ + ', '      │   ');
    }
    const kept = items.filter((entry) => known.has(entry)).length;
    print(color('dim', `      ╰ ${kept} earlier items kept word for word`));
    known = new Set(items);
  }
}

function itemsOf({ keyPoints, context }: SummaryRecord): readonly string[] {
  return [
    ...keyPoints,
    ...context.constraints.map((rule) => `constraint: ${rule}`),
    ...context.decisions.map((decision) => `decided: ${decision}`),
    ...context.actionItems.map(
      ({ task, due }) => `to do: ${[task, due].filter(Boolean).join(' ')}`,
    ),
    ...context.unresolved.map((question) => `open: ${question}`),
  ];
}

function noteOf(event: SummarizationEvent): string | undefined {
  switch (event.type) {
    case 'fallback':
      return `fallback from ${event.from} to ${event.to}: ${event.reason}`;
    case 'failed':
      return `failed to ${event.stage}: ${event.reason}`;
    case 'recovered':
      return `shortened: ${number(event.tokensBefore)} → ${number(event.tokensAfter)} tokens`;
    case 'limit-learned':
      return `learned: the model takes ${number(event.contextLength ?? event.inputLimit ?? 0)} tokens`;
    case 'prompts-reloaded':
      return `prompts read again: ${event.templates.join(', ')}`;
    case 'progress':
      return `summary ${event.completed} of ${event.total} in layer ${event.layer}`;
    case 'warning':
      return event.message;
    case 'constraints-left-out':
      return `${event.leftOut} of ${event.constraints} constraints have no room in the prompt`;
    case 'store-outage':
      return event.isOver ? 'the store answers again' : 'the store fails and is asked less often';
    case 'history-gap':
      return 'the history begins after its summary';
    case 'foreign-compaction':
      return 'another provider compacted this history; it is summarized as usual';
    case 'check':
    case 'waiting':
    case 'start':
    case 'end':
    case 'persisted':
    case 'applied':
    case 'condensed':
    case 'skipped':
      return undefined;
  }
}
