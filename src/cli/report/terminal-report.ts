import type { InspectedConversation, InspectedLimit, Inspection } from './inspection.ts';
import { chartColumns } from './chart-columns.ts';
import { costText, count, counted, largestPrompt, plain, savedShare } from './figures.ts';

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
  if (summaries.length === 0 && overWithout === 0)
    return [`${title}: nothing to do, the largest prompt takes ${count(largestPrompt(limit))}`];
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
      const { constraints, userWords = [], decisions, domainEntities } = record.context;
      return [
        '',
        `  summary ${index + 1} at call ${summary.call + 1} (${summary.reason}): ${count(summary.tokensBefore)} to ${count(summary.tokensAfter)} tokens`,
        `    goes: ${counted(coveredMessages, 'message')}; stays: the last ${count(recentMessages)}`,
        `    kept: ${counted(constraints.length, 'rule')}, ${counted(userWords.length, 'quotation')} of the user, ${counted(decisions.length, 'decision')}, ${counted(domainEntities.length, 'identifier')}`,
        ...[...constraints, ...userWords]
          .slice(0, 5)
          .map((text) => `      - ${shortened(plain(text), width - 10)}`),
      ];
    }),
    ...faults.map((fault) => `  ! ${plain(fault)}`),
  ];
}

/** The tokens sent without and with, and what they cost where a price is known. */
function sentTokens(limit: InspectedLimit, price: number | undefined): string {
  const { tokensWithout, tokensWith } = limit;
  const without = `${count(tokensWithout)} input tokens${costText(tokensWithout, price)}`;
  const sent = count(tokensWith) + costText(tokensWith, price);
  const share = savedShare(limit);
  const saved = share === 0 ? '' : `, ${Math.abs(share)} % ${share > 0 ? 'fewer' : 'more'}`;
  return `${without} without, ${sent} with${saved}`;
}

/** A row for a call, or for the largest of several: what is sent, what would have been, the limit. */
function chart(limit: InspectedLimit, width: number): string[] {
  const { contextLength } = limit;
  const most = Math.max(contextLength, largestPrompt(limit));
  const columns = Math.max(20, width - 28);
  const scale = (tokens: number): number => Math.round((tokens / most) * columns);
  const place = Math.min(columns - 1, scale(contextLength));
  const rows = chartColumns(limit, maxRows).map(({ call, tokensWithout, tokensWith, isMade }) => {
    const drawn = '█'.repeat(scale(tokensWith)).padEnd(scale(tokensWithout), '░').padEnd(columns);
    const bar = `${drawn.slice(0, place)}│${drawn.slice(place + 1)}`;
    return `  ${String(call).padStart(6)} ${bar} ${count(tokensWith).padStart(9)} ${isMade ? '◆' : ''}`;
  });
  return [...rows, '         █ sent   ░ left out   │ context length   ◆ summary made'];
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, Math.max(1, length - 1))}…`;
}
