import { renderToolSummary } from '../../../src/strategies/tool-summary.ts';
import { toolFactsOf } from '../../../src/strategies/rule-based/tool-facts.ts';
import { toolUses } from '../../../src/strategies/rule-based/tool-uses.ts';
import { timeSlices } from '../../../src/util/async/time-slices.ts';
import { segmentsOf } from '../segments.ts';
import type { Method } from './method.ts';

const firstCharacters = 120;

/** A line for each tool call, the first 120 characters of everything that was said; newest first. */
export const extractorLines: Method = {
  name: 'extractor lines + first 120',
  compact: async ({ evicted }, budget, count) => {
    const uses = await toolUses(evicted, { preserveErrorDetails: false }, timeSlices());
    const lines = evicted.flatMap((message, index) => [
      ...segmentsOf(message.role === 'tool' ? [] : [withoutCalls(message)]).map(({ text }) =>
        text.slice(0, firstCharacters),
      ),
      ...uses
        .filter((use) => use.index === index)
        .map(({ use }) => renderToolSummary(toolFactsOf(use, {}))),
    ]);
    return newestWithin(lines, budget, count);
  },
};

function withoutCalls(message: Parameters<typeof segmentsOf>[0][number]): typeof message {
  if (message.role !== 'assistant') return message;
  return { ...message, content: message.content.filter(({ type }) => type === 'text') };
}

/** The last lines that fit, in their order. */
function newestWithin(
  lines: readonly string[],
  budget: number,
  count: (text: string) => number,
): string {
  const kept: string[] = [];
  let left = budget;
  for (const line of lines.toReversed()) {
    left -= count(line) + 1;
    if (left < 0) break;
    kept.unshift(line);
  }
  return kept.join('\n');
}
