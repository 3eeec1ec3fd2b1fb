import type { InspectedConversation, InspectedLimit, Inspection } from './replay-conversation.ts';

/** Writes an inspection for a terminal of a width. */
export function terminalReport(inspection: Inspection, width: number): string {
  const { conversations, price } = inspection;
  return conversations
    .map((conversation) =>
      [
        `${plain(conversation.name)}: ${sizeOf(conversation)}`,
        ...conversation.limits.flatMap((limit) => limitLines(limit, price, width)),
      ].join('\n'),
    )
    .join('\n\n');
}

function limitLines(
  limit: InspectedLimit,
  price: number | undefined,
  width: number,
): readonly string[] {
  const { summaries, faults } = limit;
  return [
    `\n  context of ${count(limit.contextLength)} tokens, ${outcomeOf(limit)}`,
    ...(isIdle(limit) ? [] : [`  ${costOf(limit, price)}`, '', ...chart(limit, width)]),
    ...summaries.flatMap((summary, index) => {
      const { record, coveredMessages, recentMessages } = summary;
      const { constraints, userWords = [], decisions, domainEntities } = record.context;
      return [
        '',
        `  summary ${index + 1} at call ${summary.call + 1} (${summary.reason}): ${count(summary.tokensBefore)} to ${count(summary.tokensAfter)} tokens`,
        `    goes: ${counted(coveredMessages, 'message')}; stays: the last ${count(recentMessages)}`,
        `    kept: ${counted(constraints.length, 'rule')}, ${counted(userWords.length, 'quotation')} of the user, ${counted(decisions.length, 'decision')}, ${counted(domainEntities.length, 'identifier')}`,
        ...[...constraints, ...userWords].slice(0, 5).map((text) => {
          const line = plain(text);
          const most = Math.max(2, width - 10);
          return `      - ${line.length <= most ? line : `${line.slice(0, most - 1)}…`}`;
        }),
      ];
    }),
    ...faults.map((fault) => `  ! ${plain(fault)}`),
  ];
}

/** Rows of a chart at most. */
const maxRows = 24;

/** A row for a call, or for the largest of several: what is sent, what would have been, the limit. */
function chart(limit: InspectedLimit, width: number): readonly string[] {
  const { calls, contextLength, summaries } = limit;
  const each = Math.max(1, Math.ceil(calls.length / maxRows));
  const columns = Math.max(20, width - 28);
  const most = Math.max(contextLength, largestPrompt(calls));
  const scale = (tokens: number): number => Math.round((tokens / most) * columns);
  const place = Math.min(columns - 1, scale(contextLength));
  const rows = Array.from({ length: Math.ceil(calls.length / each) }, (_, row) => {
    const start = row * each;
    const group = calls.slice(start, start + each);
    const tokens = Math.max(...group.map(({ tokensWith }) => tokensWith));
    const isMade = summaries.some(({ call }) => call >= start && call < start + each);
    const drawn = '█'
      .repeat(scale(tokens))
      .padEnd(scale(largestPrompt(group)), '░')
      .padEnd(columns);
    const bar = `${drawn.slice(0, place)}│${drawn.slice(place + 1)}`;
    return `  ${String(start + 1).padStart(6)} ${bar} ${count(tokens).padStart(9)} ${isMade ? '◆' : ''}`;
  });
  return [...rows, '         █ sent   ░ left out   │ context length   ◆ summary made'];
}

/** A number with separators of thousands. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A number and what is counted, in the plural but for one. */
export function counted(value: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** How large a conversation is. */
export function sizeOf({ messages, tokens }: InspectedConversation): string {
  return `${counted(messages, 'message')}, ${count(tokens)} tokens`;
}

/** Whether there is nothing to do. */
export function isIdle({ summaries, overWithout }: InspectedLimit): boolean {
  return summaries.length === 0 && overWithout === 0;
}

/** What would have happened, in words. */
export function outcomeOf(limit: InspectedLimit): string {
  const { calls, summaries, overWithout, overWith } = limit;
  const all = counted(calls.length, 'call');
  if (isIdle(limit))
    return `${all}: nothing to do, the largest prompt takes ${count(largestPrompt(calls))}`;
  const [first] = summaries;
  const begun = first === undefined ? '' : `, the first at call ${first.call + 1}`;
  return `${all}: ${counted(summaries.length, 'summary')}${begun}; over the limit: ${counted(overWithout, 'call')} without, ${count(overWith)} with`;
}

/** The tokens sent without and with, and what they cost where it is known what a million of them cost. */
export function costOf(limit: InspectedLimit, price: number | undefined): string {
  const { tokensWithout, tokensWith } = limit;
  const cost = (tokens: number): string =>
    price === undefined ? '' : ` ($${((tokens * price) / 1_000_000).toFixed(2)})`;
  const share = Math.round((1 - tokensWith / Math.max(1, tokensWithout)) * 100);
  const saved = share === 0 ? '' : `, ${Math.abs(share)} % ${share > 0 ? 'fewer' : 'more'}`;
  return `${count(tokensWithout)} input tokens${cost(tokensWithout)} without, ${count(tokensWith)}${cost(tokensWith)} with${saved}`;
}

/** Tokens of the largest prompt as it would have been sent. */
export function largestPrompt(calls: InspectedLimit['calls']): number {
  return Math.max(0, ...calls.map(({ tokensWithout }) => tokensWithout));
}

/** Without line breaks and controls, which a terminal would obey. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
