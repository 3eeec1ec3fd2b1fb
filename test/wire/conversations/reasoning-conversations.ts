import type { Conversation } from './conversation.ts';
import type { Dialect } from './dialect.ts';
import { answer, system, toolLoop, user } from './messages.ts';

const instructions = system('You are an agent that thinks before it acts.');

/** Conversations whose assistant messages carry reasoning. */
export function reasoningConversations(dialect: Dialect): Conversation[] {
  const { reasoningCall: providerOptions } = dialect;
  const signed: Conversation[] = [
    {
      name: 'chat with signed reasoning',
      providerOptions,
      messages: [
        instructions,
        ...[1, 2, 3, 4].flatMap((step) => [
          user(`topic ${step}`),
          answer(dialect, step, { reasoning: 'signed' }),
        ]),
        user('the end'),
      ],
    },
    {
      name: 'a tool loop with signed reasoning',
      providerOptions,
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 7, { reasoning: 'signed' }),
      ],
    },
    {
      name: 'parallel calls with signed reasoning and words',
      providerOptions,
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 2, { reasoning: 'signed', calls: 2, text: true }),
        answer(dialect, 3, { reasoning: 'signed' }),
        user('the printer'),
        ...toolLoop(dialect, 4, 3, { reasoning: 'signed', calls: 3, text: true }),
      ],
    },
  ];
  return [
    ...(dialect.reasoningOptions === undefined ? [] : signed),
    ...(dialect.hiddenReasoning === undefined
      ? []
      : [
          {
            name: 'a tool loop with reasoning the provider hides',
            providerOptions,
            messages: [
              instructions,
              user('the parser'),
              ...toolLoop(dialect, 1, 5, { reasoning: 'hidden' }),
            ],
          },
        ]),
    {
      name: 'reasoning of another provider, without a signature',
      needs: ['foreign-reasoning'],
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 3, { reasoning: 'foreign' }),
        answer(dialect, 4, { reasoning: 'foreign' }),
        user('the printer'),
        ...toolLoop(dialect, 5, 2, { reasoning: 'foreign', text: true }),
      ],
    },
  ];
}
