import { omittedSummary, renderSummary } from '../../../src/composing/render-summary.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { emptyContent } from '../../../src/record/content-items.ts';
import type { SummaryContent, SummaryRecord } from '../../../src/record/summary-record.ts';
import { fitContent } from '../../../src/fitting/fit-content.ts';
import { ruleBasedStrategy } from '../../../src/strategies/rule-based/rule-based-strategy.ts';
import { unusedModel } from '../unused-model.ts';
import type { Cut } from '../make-cut.ts';
import type { Method } from './method.ts';

/** Most ids take as many tokens, nine. */
const id = 'c15c8df66906e445';

/** The tag, the constant sentence and the closing tag around every summary. */
function envelopeTokens(count: (text: string) => number): number {
  return count(renderSummary({ ...emptyContent(''), id, depth: 0 })) + messageTokens;
}

const messageTokens = 4;

/** How {@link ours} is run. */
export interface OursOptions {
  /** Whether the envelope is paid from the budget. The other methods have none. */
  readonly withEnvelope?: boolean;
  /** Summaries in which the messages are covered, each continuing the one before. */
  readonly steps?: number;
}

/**
 * The rule-based strategy as the middleware runs it: what it returns is fitted, rendered and measured as
 * rendered.
 */
export function ours({ withEnvelope = false, steps = 1 }: OursOptions = {}): Method {
  const strategy = ruleBasedStrategy();
  const envelope = withEnvelope ? 'envelope in the budget' : 'envelope beside it';
  return {
    name: steps === 1 ? `ours, ${envelope}` : `the same, in ${steps} summaries`,
    compact: async ({ evicted }, budget, count) => {
      const maxSummaryTokens = withEnvelope ? budget : budget + envelopeTokens(count);
      const tokens = (candidate: SummaryContent): number =>
        count(rendered(candidate)) + messageTokens;
      let previous: SummaryRecord | undefined;
      let start = 0;
      for (let step = 1; step <= steps; step += 1) {
        const end = endOfStep(evicted, step / steps);
        const messages = evicted.slice(start, end);
        start = end;
        if (messages.length === 0) continue;
        const { content } = await strategy.summarize({
          messages,
          previous,
          usePreviousNarrative: true,
          model: unusedModel,
          recordId: id,
          maxSummaryTokens,
        });
        const kept = await fitContent(content, {
          maxTokens: maxSummaryTokens,
          count: async (candidate) => tokens(candidate),
        });
        const fitted = kept.summary === '' ? emptyContent(omittedSummary) : kept;
        if (tokens(fitted) > maxSummaryTokens && fitted.summary !== omittedSummary)
          throw new Error(`The summary takes ${tokens(fitted)} of ${maxSummaryTokens} tokens.`);
        previous = recordOf(fitted, previous);
      }
      return previous === undefined ? '' : readRendered(rendered(previous));
    },
  };
}

/** Where a share of messages ends, so that no result is parted from its call: the middleware never does that. */
function endOfStep(messages: Cut['evicted'], share: number): number {
  let end = Math.floor(messages.length * share);
  while (messages[end]?.role === 'tool') end += 1;
  return end;
}

function recordOf(content: SummaryContent, parent: SummaryRecord | undefined): SummaryRecord {
  return buildRecord(
    {
      key: id,
      depth: 0,
      parent,
      coveredMessages: 0,
      prefixDigest: '',
      strategy: 'rule-based',
      degraded: false,
      inputTokens: 0,
    },
    content,
    0,
  );
}

function rendered(content: SummaryContent): string {
  return renderSummary({ ...content, id, depth: 0 });
}

/** The texts that the rendered JSON holds, a line for each, with its escapes resolved. */
function readRendered(text: string): string {
  const body = text.split('\n')[2] ?? '';
  return body.startsWith('{') ? textsOf(JSON.parse(body)).join('\n') : '';
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
