import { recordText } from '../record/content-items.ts';
import type { InspectedLimit, InspectedSummary, Inspection } from './replay-conversation.ts';
import {
  costOf,
  count,
  counted,
  isIdle,
  largestPrompt,
  outcomeOf,
  sizeOf,
} from './terminal-report.ts';

/** Writes an inspection as one page: no scripts, nothing from elsewhere, every text of a conversation escaped. */
export function htmlReport({ file, strategy, model, price, conversations }: Inspection): string {
  const how = model === undefined ? '' : `, ${escaped(model)}`;
  const sections = conversations.map(
    (conversation) => `<h2>${escaped(conversation.name)}</h2>
<p>${sizeOf(conversation)}</p>
${conversation.limits.map((limit) => limitHtml(limit, price)).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(file)}: what would be summarised</title>
<style>${style}</style>
</head>
<body>
<h1>${escaped(file)}</h1>
<p>${counted(conversations.length, 'conversation')}, strategy ${escaped(strategy)}${how}. Tokens are counted as o200k has them.</p>
${sections.join('\n')}
</body>
</html>
`;
}

const style = `
:root { color-scheme: light dark; --sent: #2463d6; --full: #8895a7; --limit: #c2322b; --made: #b07400; }
body { margin: 0 auto; max-width: 64rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
section { border: 1px solid var(--full); border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
h3 { margin: 0; }
svg { display: block; width: 100%; height: 14rem; }
svg * { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; }
.sent { stroke: var(--sent); } .full { stroke: var(--full); } .limit { stroke: var(--limit); stroke-dasharray: 6 4; }
.made { stroke: var(--made); } b { font-size: 1.5em; line-height: 0; }
pre { white-space: pre-wrap; font: .85rem/1.45 ui-monospace, monospace; }
`;

function limitHtml(limit: InspectedLimit, price: number | undefined): string {
  const details = isIdle(limit) ? '' : `<p>${costOf(limit, price)}</p>\n${chart(limit)}`;
  return `<section><h3>Context of ${count(limit.contextLength)} tokens</h3>
<p>${outcomeOf(limit)}</p>
${details}
${limit.summaries.map(summaryHtml).join('\n')}
${limit.faults.map((fault) => `<p>${escaped(fault)}</p>`).join('\n')}</section>`;
}

const width = 1000;
const height = 240;

/** The prompts of a conversation, call by call: what is sent, what would have been, the limit, where summaries are made. */
function chart({ calls, contextLength, summaries }: InspectedLimit): string {
  const largest = largestPrompt(calls);
  const most = Math.max(contextLength, largest) * 1.05;
  const x = (call: number): string => ((call / Math.max(1, calls.length - 1)) * width).toFixed(1);
  const y = (tokens: number): string => (height * (1 - tokens / most)).toFixed(1);
  const line = (kind: string, values: readonly number[]): string =>
    `<polyline class="${kind}" points="${values.map((tokens, call) => `${x(call)},${y(tokens)}`).join(' ')}"/>`;
  const marks = summaries.map(({ call }) => `<path class="made" d="M${x(call)} 0V${height}"/>`);
  const label = `${counted(calls.length, 'call')}; the prompts grow to ${count(largest)} tokens without summaries, under a limit of ${count(contextLength)}`;
  return `<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${marks.join('')}
${line(
  'full',
  calls.map(({ tokensWithout }) => tokensWithout),
)}
${line(
  'sent',
  calls.map(({ tokensWith }) => tokensWith),
)}
<path class="limit" d="M0 ${y(contextLength)}H${width}"/>
</svg>
<p><b style="color:var(--sent)">–</b> sent <b style="color:var(--full)">–</b> without <b style="color:var(--limit)">–</b> context length
<b style="color:var(--made)">–</b> summary made</p>`;
}

function summaryHtml(summary: InspectedSummary, index: number): string {
  const { call, reason, tokensBefore, tokensAfter, coveredMessages, recentMessages } = summary;
  const { record } = summary;
  return `<details><summary>Summary ${index + 1} at call ${call + 1}: ${count(tokensBefore)} to ${count(tokensAfter)} tokens</summary>
<p>Because of ${escaped(reason)}. ${counted(coveredMessages, 'message')} go, the last ${count(recentMessages)} stay as they are. Written by ${escaped(record.strategy)}${record.degraded ? ', as the second best' : ''}.</p>
<pre>${escaped(recordText(record))}</pre></details>`;
}

/** A text that is no markup. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
