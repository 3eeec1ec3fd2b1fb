import type { InspectedLimit } from './inspection.ts';
import { count } from './figures.ts';

const width = 1000;
const height = 240;
/** Calls that are drawn; of more, the largest of each group. */
const maxColumns = 250;
/** Leaves room for the marks above what is largest. */
const headroom = 1.15;

/** The prompts of a conversation, call by call: what is sent before what would have been, under the limit. */
export function htmlChart({ calls, summaries, contextLength }: InspectedLimit): string {
  const each = Math.max(1, Math.ceil(calls.length / maxColumns));
  const groups = Array.from({ length: Math.ceil(calls.length / each) }, (_, index) =>
    calls.slice(index * each, (index + 1) * each),
  );
  const most =
    Math.max(contextLength, ...calls.map(({ tokensWithout }) => tokensWithout)) * headroom;
  const step = width / Math.max(1, groups.length);
  const y = (tokens: number): number => height - (tokens / most) * height;
  const column = (kind: string, index: number, tokens: number): string =>
    `<rect class="${kind}" x="${fixed(index * step)}" y="${fixed(y(tokens))}" width="${fixed(Math.max(0.5, step * 0.86))}" height="${fixed(height - y(tokens))}"/>`;
  const columns = groups.map((group, index) => {
    const without = Math.max(...group.map(({ tokensWithout }) => tokensWithout));
    const sent = Math.max(...group.map(({ tokensWith }) => tokensWith));
    const title = `call ${index * each + 1}: ${count(sent)} tokens sent, ${count(without)} without`;
    return `<g><title>${title}</title>${column('full', index, without)}${column('sent', index, sent)}</g>`;
  });
  const marks = summaries.map(({ call }) => {
    const x = Math.floor(call / each) * step + step / 2;
    return `<path class="made" d="M${fixed(x)} 2l6 8-6 8-6-8z"/>`;
  });
  const limit = fixed(y(contextLength));
  const largest = Math.max(0, ...calls.map(({ tokensWithout }) => tokensWithout));
  const label = `${count(calls.length)} calls; the prompts grow to ${count(largest)} tokens without summaries, under a limit of ${count(contextLength)}`;
  return `<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label="${label}">
${columns.join('\n')}
<line class="limit" x1="0" x2="${width}" y1="${limit}" y2="${limit}"/>
${marks.join('\n')}
</svg>
<ul class="legend"><li><i style="background:var(--sent)"></i>sent</li><li><i style="background:var(--full)"></i>left out</li>
<li><i style="background:var(--limit)"></i>context length</li><li><i style="background:var(--made)"></i>summary made</li></ul>`;
}

function fixed(value: number): string {
  return value.toFixed(2);
}
