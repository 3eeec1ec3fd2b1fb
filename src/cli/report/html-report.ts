import type {
  InspectedConversation,
  InspectedLimit,
  InspectedSummary,
  Inspection,
} from './inspection.ts';
import { costText, count, counted, largestPrompt, savedShare } from './figures.ts';
import { htmlChart } from './html-chart.ts';
import { escaped, htmlPage } from './html-page.ts';

/** Writes an inspection as one page: no scripts, nothing from elsewhere, every text of a conversation escaped. */
export function htmlReport(inspection: Inspection): string {
  const { file, strategy, model, conversations } = inspection;
  const how = [`strategy ${strategy}`, model].filter((part) => part !== undefined).join(', ');
  const body = `<h1>${escaped(file)}</h1>
<p class="quiet">${counted(conversations.length, 'conversation')}, ${escaped(how)}. Tokens are counted as o200k has them.</p>
${conversations.map((conversation) => conversationHtml(conversation, inspection)).join('\n')}`;
  return htmlPage(`${file}: what would be summarised`, body);
}

function conversationHtml(
  { name, messages, tokens, limits }: InspectedConversation,
  { price }: Inspection,
): string {
  return `<h2>${escaped(name)}</h2>
<p class="quiet">${counted(messages, 'message')}, ${count(tokens)} tokens</p>
${limits.map((limit) => limitHtml(limit, price)).join('\n')}`;
}

function limitHtml(limit: InspectedLimit, price: number | undefined): string {
  const { contextLength, calls, summaries, overWithout, overWith, faults } = limit;
  const { tokensWithout, tokensWith } = limit;
  const heading = `<h3>Context of ${count(contextLength)} tokens</h3>`;
  if (summaries.length === 0 && overWithout === 0) {
    return `<section>${heading}<p>Nothing to do: the largest of ${counted(calls.length, 'prompt')} takes ${count(largestPrompt(limit))} tokens.</p></section>`;
  }
  const figures: readonly (readonly [string, string])[] = [
    ['calls', count(calls.length)],
    ['summaries', count(summaries.length)],
    ['input tokens without', count(tokensWithout) + costText(tokensWithout, price)],
    ['input tokens with', count(tokensWith) + costText(tokensWith, price)],
    ['fewer tokens', `${savedShare(limit)} %`],
    ['calls over the limit', `${count(overWith)} instead of ${count(overWithout)}`],
  ];
  const list = figures.map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`);
  const troubles = faults.map((fault) => `<p>${escaped(fault)}</p>`);
  return `<section>${heading}
<dl>${list.join('')}</dl>
${htmlChart(limit)}
${summaries.map((summary, index) => summaryHtml(summary, index)).join('\n')}
${troubles.join('\n')}</section>`;
}

function summaryHtml(summary: InspectedSummary, index: number): string {
  const { call, reason, tokensBefore, tokensAfter, coveredMessages, recentMessages } = summary;
  const { record } = summary;
  const { context, keyPoints } = record;
  const {
    constraints,
    userWords = [],
    decisions,
    actionItems,
    unresolved,
    domainEntities,
  } = context;
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Rules of the user', constraints],
    ["The user's words", userWords],
    ['Decisions', decisions],
    ['To do', actionItems.map(({ task }) => task)],
    ['Open', unresolved],
    ['Key points', keyPoints],
    ['Identifiers', domainEntities],
  ];
  const { minutes = '' } = record;
  return `<details><summary>Summary ${index + 1} at call ${call + 1}: ${count(tokensBefore)} to ${count(tokensAfter)} tokens</summary>
<p class="quiet">Because of ${escaped(reason)}. ${counted(coveredMessages, 'message')} go, the last ${count(recentMessages)} stay as they are. Written by ${escaped(record.strategy)}${record.degraded ? ', as the second best' : ''}.</p>
<h4>Summary</h4><pre>${escaped(record.summary)}</pre>
${lists.map(([title, items]) => listHtml(title, items)).join('')}
${minutes === '' ? '' : `<h4>Minutes</h4><pre>${escaped(minutes)}</pre>`}</details>`;
}

function listHtml(title: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<h4>${title}</h4><ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;
}
