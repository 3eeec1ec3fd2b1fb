import { omittedSummary, renderSummary } from '../../../src/injection/render-summary.ts';
import { messagesText } from '../../../src/prompt/messages-text.ts';
import { emptyContent } from '../../../src/record/empty-content.ts';
import type { SummaryContent } from '../../../src/record/summary-record.ts';
import { fitContent } from '../../../src/summarize/fit-content.ts';
import { ruleBasedStrategy } from '../../../src/summarize/rule-based/rule-based-strategy.ts';
import { unusedModel } from '../unused-model.ts';
import type { Method } from './method.ts';

const id = '0123456789abcdef';

/** The tag, the constant sentence and the closing tag around every summary. */
function envelopeTokens(count: (text: string) => number): number {
  return count(renderSummary({ ...emptyContent(''), id, depth: 0 })) + messageTokens;
}

const messageTokens = 4;

/**
 * The rule-based strategy as the middleware runs it: what it returns is fitted, rendered and measured as
 * rendered.
 *
 * @param withEnvelope - Whether the envelope is paid from the budget. The other methods have none.
 */
export function ours(withEnvelope: boolean): Method {
  const strategy = ruleBasedStrategy();
  return {
    name: withEnvelope ? 'ours, envelope in the budget' : 'ours, envelope beside it',
    compact: async ({ evicted }, budget, count) => {
      const maxSummaryTokens = withEnvelope ? budget : budget + envelopeTokens(count);
      const { content } = await strategy.summarize({
        messages: evicted,
        usePreviousNarrative: true,
        model: unusedModel,
        maxSummaryTokens,
      });
      const tokens = (candidate: SummaryContent): number =>
        count(rendered(candidate)) + messageTokens;
      const kept = fitContent(content, maxSummaryTokens, tokens, messagesText(evicted));
      const fitted = kept.summary === '' ? emptyContent(omittedSummary) : kept;
      if (tokens(fitted) > maxSummaryTokens && fitted.summary !== omittedSummary)
        throw new Error(`The summary takes ${tokens(fitted)} of ${maxSummaryTokens} tokens.`);
      return readRendered(rendered(fitted));
    },
  };
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
