import type { ModelMessage } from 'ai';
import type { SummarizationOptions, SummaryRecord } from '../../src/index.ts';
import { summarizeConversation } from '../../src/index.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { chatModel } from '../support/models.ts';

export const ruleOfEarlier = 'Never deploy on Fridays.';

/** A conversation in which the user states a rule. */
export const earlierChat: readonly ModelMessage[] = [
  user(`${ruleOfEarlier} The release is planned for the harbour project.`),
  assistant('Understood: the release of the harbour project waits for Monday.'),
  ...Array.from({ length: 3 }, (_, index) => toolStep(`call_${index}`, words(index, 60))).flat(),
  assistant('All files are read.'),
];

/** Options under which every call that asks for a summary gets one. */
export const options: SummarizationOptions = {
  contextLength: 20_000,
  minMessages: 1,
  cooldownMessages: 0,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
};

/** The record of {@link earlierChat}, written by rules. */
export async function earlierRecord(): Promise<SummaryRecord> {
  const result = await summarizeConversation({
    messages: earlierChat,
    model: chatModel(),
    config: { ...options, strategy: 'rule-based' },
  });
  if (!result.ok) throw result.error;
  return result.record;
}

/** A conversation of its own, so many messages long, with a rule of its own. */
export function laterChat(length: number): readonly ModelMessage[] {
  return Array.from({ length }, (_, index) => {
    if (index === 0) return user('Always answer in French. What is in the garden?');
    const text = `${words(index, 80)} ${index}`;
    return index % 2 === 0 ? user(`And ${text}?`) : assistant(`There is ${text}.`);
  });
}
