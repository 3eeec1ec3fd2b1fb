import { chartColumns } from './chart-columns.ts';
import { count, largestPrompt } from './figures.ts';
import type { InspectedLimit } from './inspection.ts';

const width = 1000;
const height = 240;
/** Calls that are drawn; of more, the largest of each group. */
const maxColumns = 250;
/** Leaves room for the marks above what is largest. */
const headroom = 1.15;

/** The prompts of a conversation, call by call: what is sent before what would have been, under the limit. */
export function htmlChart(limit: InspectedLimit): string {
  const { calls, contextLength } = limit;
  const columns = chartColumns(limit, maxColumns);
  const largest = largestPrompt(limit);
  const most = Math.max(contextLength, largest) * headroom;
  const step = width / Math.max(1, columns.length);
  const y = (tokens: number): number => height - (tokens / most) * height;
  const bar = (kind: string, index: number, tokens: number): string =>
    `<rect class="${kind}" x="${fixed(index * step)}" y="${fixed(y(tokens))}" width="${fixed(Math.max(0.5, step * 0.86))}" height="${fixed(height - y(tokens))}"/>`;
  const bars = columns.map(({ call, tokensWithout, tokensWith }, index) => {
    const title = `call ${call}: ${count(tokensWith)} tokens sent, ${count(tokensWithout)} without`;
    return `<g><title>${title}</title>${bar('full', index, tokensWithout)}${bar('sent', index, tokensWith)}</g>`;
  });
  const marks = columns.flatMap(({ isMade }, index) =>
    isMade ? `<path class="made" d="M${fixed((index + 0.5) * step)} 2l6 8-6 8-6-8z"/>` : [],
  );
  const line = fixed(y(contextLength));
  const label = `${count(calls.length)} calls; the prompts grow to ${count(largest)} tokens without summaries, under a limit of ${count(contextLength)}`;
  return `<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${bars.join('\n')}
<line class="limit" x1="0" x2="${width}" y1="${line}" y2="${line}"/>
${marks.join('\n')}
</svg>
<ul class="legend"><li><i style="background:var(--sent)"></i>sent</li><li><i style="background:var(--full)"></i>left out</li>
<li><i style="background:var(--limit)"></i>context length</li><li><i style="background:var(--made)"></i>summary made</li></ul>`;
}

function fixed(value: number): string {
  return value.toFixed(2);
}
