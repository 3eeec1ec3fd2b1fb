import { expect, it } from 'vitest';
import {
  ruleBasedStrategy,
  summarizeConversation,
  type SummaryOutput,
  type SummaryStrategy,
} from '../../../src/index.ts';
import { assistant, user, words } from '../../support/messages.ts';
import { chatModel } from '../../support/models.ts';

const messages = Array.from({ length: 40 }, (_, index) => [
  user(`Please look at order W${index * 7919} in src/orders/${index % 7}-of-${index}.ts.`),
  assistant(`Order W${index * 7919} is paid, ${words(index, 12)} (${index * 31} in all).`),
]).flat();

it.each([60, 100, 200, 500, 1500])(
  'a record of %i tokens holds all that the rules have written into it',
  async (maxSummaryTokens) => {
    const rules = ruleBasedStrategy();
    const written: SummaryOutput[] = [];
    const strategy: SummaryStrategy = {
      name: rules.name,
      summarize: async (input) => {
        const output = await rules.summarize(input);
        written.push(output);
        return output;
      },
    };
    for (let count = 8; count <= messages.length; count += 8) {
      const model = chatModel({ modelId: 'gpt-4o' });
      const config = { strategy, maxSummaryTokens };
      const result = await summarizeConversation({
        messages: messages.slice(0, count),
        model,
        config,
      });
      if (!result.ok) throw result.error;
      const { summary, keyPoints, context } = result.record;
      expect(written.at(-1)?.content).toMatchObject({ summary, keyPoints, context });
    }
  },
);

it('a record of a chat lists no bare numbers, which say nothing without their sentences', async () => {
  const lines = Array.from({ length: 400 }, (_, index) => `Row ${index} holds ${997 - index}.`);
  const talk = [user('What of the rows?'), assistant(lines.join(' ')), user('Go on.')];
  const config = { strategy: ruleBasedStrategy(), maxSummaryTokens: 300 };
  const model = chatModel();
  const first = await summarizeConversation({ messages: talk, model, config });
  if (!first.ok) throw first.error;
  const parent = first.record;
  const longer = [...talk, assistant(lines.toReversed().join(' ')), user('And now?')];
  const next = await summarizeConversation({ messages: longer, model, config, parent });
  if (!next.ok) throw next.error;
  for (const { context } of [parent, next.record]) expect(context.domainEntities).toEqual([]);
});
