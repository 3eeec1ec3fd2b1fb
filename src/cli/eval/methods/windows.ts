import { pruneMessages, type ModelMessage } from 'ai';
import type { Message } from '../../../prompt/prompt-types.ts';
import { roomOf, type Method } from './method.ts';
import { newestFrom, tokensOfEach } from './newest-from.ts';

/** The whole history. */
export const full: Method = async ({ prompt, model }) => {
  return (question) => model.doGenerate({ prompt: [...prompt, question] });
};

/** `pruneMessages` of the AI SDK, as its documentation shows it; it knows no limit. */
export const prune: Method = async ({ prompt, model }) => {
  // oxlint-disable-next-line no-unsafe-type-assertion -- texts and tool parts are spelled alike in both forms
  const messages = prompt as ModelMessage[];
  const pruned = pruneMessages({
    messages,
    reasoning: 'before-last-message',
    toolCalls: 'before-last-2-messages',
    emptyMessages: 'remove',
  });
  // oxlint-disable-next-line no-unsafe-type-assertion -- the same messages, with fewer parts
  const kept = pruned as Message[];
  return (question) => model.doGenerate({ prompt: [...kept, question] });
};

/** System messages, and of the others the newest that fit. */
export const dropOldest: Method = async (input) => {
  const { prompt, model } = input;
  const systems = prompt.filter(({ role }) => role === 'system');
  const others = prompt.filter(({ role }) => role !== 'system');
  const tokens = await tokensOfEach(others);
  const first = newestFrom(others, tokens, roomOf(input));
  const kept = [...systems, ...others.slice(first)];
  return (question) => model.doGenerate({ prompt: [...kept, question] });
};
