import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { pruneMessages } from 'ai';
import { withPrompt, type Method } from './method.ts';
import { newestWithin } from './sliding-window.ts';

/** `pruneMessages` of the AI SDK; it knows no budget. */
export const prunedMessages: Method = {
  name: 'pruneMessages',
  open: ({ model }) => withPrompt(model, ({ prompt }) => prune(prompt)),
};

/** `pruneMessages`, and of what it leaves the newest messages that fit 80 % of the context. */
export const prunedWindow: Method = {
  name: 'pruneMessages, sliding window',
  open: ({ model, contextLength }) =>
    withPrompt(model, (options) =>
      newestWithin({ ...options, prompt: prune(options.prompt) }, contextLength * 0.8),
    ),
};

/** As the documentation of the AI SDK shows it: old reasoning and tool calls go. */
function prune(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  // oxlint-disable-next-line no-unsafe-type-assertion -- texts and tool parts are spelled alike in both forms
  return pruneMessages({
    messages: prompt,
    reasoning: 'before-last-message',
    toolCalls: 'before-last-2-messages',
    emptyMessages: 'remove',
  }) as LanguageModelV4Prompt;
}
