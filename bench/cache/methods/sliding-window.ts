import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { messageTokens, promptTokens } from '../encode-prompt.ts';
import { withPrompt, type Method } from './method.ts';

/** The newest messages that fit 80 % of the context, the point at which the middleware acts too. */
export const slidingWindow: Method = {
  name: 'sliding window, 80 % of context',
  open: ({ model, contextLength }) =>
    withPrompt(model, (options) => newestWithin(options, contextLength * 0.8)),
};

/** The newest `count` messages. */
export function lastMessages(count: number): Method {
  return {
    name: `sliding window, ${count} messages`,
    open: ({ model }) =>
      withPrompt(model, ({ prompt }) => windowFrom(prompt, prompt.length - count)),
  };
}

/** The longest legal end of a prompt that takes at most some tokens. */
export function newestWithin(
  options: Parameters<typeof promptTokens>[0],
  tokens: number,
): LanguageModelV4Prompt {
  const { prompt } = options;
  const sizes = new Map(prompt.map((message) => [message, messageTokens(message)]));
  const room = tokens - promptTokens({ ...options, prompt: [] });
  const fits = (start: number): boolean =>
    windowFrom(prompt, start).reduce((sum, message) => sum + (sizes.get(message) ?? 0), 0) <= room;
  let low = 0;
  let high = prompt.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) high = middle;
    else low = middle + 1;
  }
  return windowFrom(prompt, low);
}

/** System messages, the last user message in front of the window if none begins it, the window. */
export function windowFrom(prompt: LanguageModelV4Prompt, wanted: number): LanguageModelV4Prompt {
  const systems = prompt.filter(({ role }) => role === 'system');
  const conversation = prompt.filter(({ role }) => role !== 'system');
  let start = Math.min(Math.max(wanted - systems.length, 0), conversation.length - 1);
  // A tool result does not go without its call.
  while (conversation[start]?.role === 'tool') start -= 1;
  const anchor = conversation.slice(0, start + 1).findLast(({ role }) => role === 'user');
  const window = conversation.slice(start);
  const lead = anchor === undefined || window[0] === anchor ? [] : [anchor];
  return [...systems, ...lead, ...window];
}
