import type { InspectedConversation, InspectedLimit, Inspection } from './inspection.ts';
import { count, counted, plain, sentTokens } from './figures.ts';

/** Rows of a chart at most. */
const maxRows = 24;

/** Writes an inspection for a terminal of a width. */
export function terminalReport(inspection: Inspection, width: number): string {
  return inspection.conversations
    .map((conversation) => conversationText(conversation, inspection, width))
    .join('\n\n');
}

function conversationText(
  { name, messages, tokens, limits }: InspectedConversation,
  { price }: Inspection,
  width: number,
): string {
  const head = `${plain(name)}: ${counted(messages, 'message')}, ${count(tokens)} tokens`;
  return [head, ...limits.flatMap((limit) => limitLines(limit, price, width))].join('\n');
}

function limitLines(
  limit: InspectedLimit,
  price: number | undefined,
  width: number,
): readonly string[] {
  const { contextLength, calls, summaries, overWithout, overWith, faults } = limit;
  const title = `\n  context of ${count(contextLength)} tokens, ${counted(calls.length, 'call')}`;
  const largest = Math.max(0, ...calls.map(({ tokensWithout }) => tokensWithout));
  if (summaries.length === 0 && overWithout === 0)
    return [`${title}: nothing to do, the largest prompt takes ${count(largest)}`];
  const [first] = summaries;
  const begun = first === undefined ? '' : `, the first at call ${first.call + 1}`;
  return [
    `${title}: ${counted(summaries.length, 'summary')}${begun}`,
    `  ${sentTokens(limit, price)}`,
    `  over the limit: ${counted(overWithout, 'call')} without, ${count(overWith)} with`,
    '',
    ...chart(limit, width),
    ...summaries.flatMap((summary, index) => {
      const { record, coveredMessages, recentMessages } = summary;
      const { constraints, decisions, domainEntities } = record.context;
      return [
        '',
        `  summary ${index + 1} at call ${summary.call + 1} (${summary.reason}): ${count(summary.tokensBefore)} to ${count(summary.tokensAfter)} tokens`,
        `    goes: ${counted(coveredMessages, 'message')}; stays: the last ${count(recentMessages)}`,
        `    kept: ${counted(constraints.length, 'rule')}, ${counted(decisions.length, 'decision')}, ${counted(domainEntities.length, 'identifier')}`,
        ...constraints.slice(0, 5).map((rule) => `      - ${shortened(plain(rule), width - 10)}`),
      ];
    }),
    ...faults.map((fault) => `  ! ${plain(fault)}`),
  ];
}

/** A row for a call, or for the largest of several: what is sent, what would have been, the limit. */
function chart({ calls, summaries, contextLength }: InspectedLimit, width: number): string[] {
  const each = Math.max(1, Math.ceil(calls.length / maxRows));
  const most = Math.max(contextLength, ...calls.map(({ tokensWithout }) => tokensWithout));
  const columns = Math.max(20, width - 28);
  const scale = (tokens: number): number => Math.round((tokens / most) * columns);
  const limit = Math.min(columns - 1, scale(contextLength));
  const rows: string[] = [];
  for (let start = 0; start < calls.length; start += each) {
    const group = calls.slice(start, start + each);
    const without = Math.max(...group.map(({ tokensWithout }) => tokensWithout));
    const sent = Math.max(...group.map(({ tokensWith }) => tokensWith));
    const drawn = '█'.repeat(scale(sent)).padEnd(scale(without), '░').padEnd(columns);
    const bar = `${drawn.slice(0, limit)}│${drawn.slice(limit + 1)}`;
    const isMade = summaries.some(({ call }) => call >= start && call < start + each);
    rows.push(
      `  ${String(start + 1).padStart(6)} ${bar} ${count(sent).padStart(9)} ${isMade ? '◆' : ''}`,
    );
  }
  return [...rows, '         █ sent   ░ left out   │ context length   ◆ summary made'];
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;
}
