import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { TokenMeasure } from '../../../src/sizing/token-measure.ts';
import { omittedSummary, renderSummary } from '../../../src/composing/render-summary.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { spareFrameTokens } from '../../../src/sizing/calibration.ts';
import * as sent from '../../support/prompt-messages.ts';
import { summaryJson, summaryOf } from '../../support/prompts.ts';

/** Tokens by which the ids of two records may differ: sixteen hexadecimal digits each. */
const idTokens = 8;

/** Tokens of a record that says nothing but that messages were left out. */
export function bareRecordTokens(measure: TokenMeasure): number {
  const record = { ...emptyContent(omittedSummary), id: '0123456789abcdef', depth: 0 };
  return measure.message(sent.system(renderSummary(record))) + idTokens;
}

/**
 * What dropping the oldest groups, and nothing else, would send: the prompt as anybody would write it. No
 * fewer than the last two messages are kept, and the last user message before them.
 */
export function droppingOldest(
  prompt: LanguageModelV4Prompt,
  limit: number,
  measure: TokenMeasure,
): LanguageModelV4Prompt {
  for (let index = 2; index <= prompt.length - 2; index += 1) {
    if (prompt[index]?.role === 'tool') continue;
    const anchor =
      prompt[index]?.role === 'user'
        ? -1
        : prompt.slice(0, index).findLastIndex(({ role }) => role === 'user');
    const candidate = [...prompt.slice(anchor, anchor + 1), ...prompt.slice(index)];
    if (measure.prompt(candidate) <= limit) return candidate;
  }
  return [];
}

/** Tokens that a prompt keeps of the conversation: messages and repeated texts. */
export function keptOf(prompt: LanguageModelV4Prompt, measure: TokenMeasure): number {
  const messages = prompt.filter((message) => summaryOf([message]) === undefined);
  const repeated = summaryOf(prompt)?.includes('"userMessages"')
    ? summaryJson(prompt)['userMessages']
    : [];
  const texts = Array.isArray(repeated) ? repeated.map(String) : [];
  const kept = [...messages, ...texts.map((text) => sent.user(text))];
  return measure.messages(kept) - kept.length * spareFrameTokens;
}
