import type { ModelMessage } from 'ai';
import type { Conversation } from './conversation.ts';
import type { Dialect } from './dialect.ts';
import { answer, passage, pixel, system, user } from './messages.ts';

/** The smallest thing that begins like a PDF document. */
const document = Buffer.from('%PDF-1.4\n%%EOF').toString('base64');

const instructions = system('You are a careful assistant for a code base.');

/** Turns of user and assistant, numbered from `first`. */
function turns(dialect: Dialect, first: number, count: number): ModelMessage[] {
  return Array.from({ length: count }, (_, index) => [
    user(`topic ${first + index}`),
    answer(dialect, first + index),
  ]).flat();
}

/** Conversations in words, pictures and documents. */
export function chatConversations(dialect: Dialect): Conversation[] {
  return [
    {
      name: 'plain chat',
      messages: [instructions, ...turns(dialect, 1, 5), user('the last topic')],
    },
    { name: 'chat without a system message', messages: [...turns(dialect, 1, 4), user('the end')] },
    {
      name: 'chat with several leading system messages',
      needs: ['several-systems'],
      messages: [
        instructions,
        system('Today is a Tuesday.'),
        system('Answer in English.'),
        ...turns(dialect, 1, 4),
        user('the end'),
      ],
    },
    {
      name: 'a system message in mid conversation',
      needs: ['late-system'],
      messages: [
        instructions,
        ...turns(dialect, 1, 2),
        user('the third topic'),
        system('From now on answer in French.'),
        answer(dialect, 3),
        ...turns(dialect, 4, 2),
        user('the end'),
      ],
    },
    {
      name: 'prefilled answer',
      needs: ['prefill'],
      messages: [
        instructions,
        ...turns(dialect, 1, 3),
        user('the end'),
        { role: 'assistant', content: [{ type: 'text', text: 'The short answer is' }] },
      ],
    },
    {
      name: 'several user messages in a row',
      needs: ['user-run'],
      messages: [
        instructions,
        user('one'),
        user('two'),
        answer(dialect, 1),
        user('three'),
        user('four'),
        user('five'),
        answer(dialect, 2),
        user('six'),
        user('seven'),
      ],
    },
    {
      name: 'user messages of several texts',
      messages: [
        instructions,
        ...[1, 2, 3].flatMap((step): ModelMessage[] => [
          {
            role: 'user',
            content: [
              { type: 'text', text: passage(`first half ${step}`) },
              { type: 'text', text: passage(`second half ${step}`) },
            ],
          },
          answer(dialect, step),
        ]),
        user('the end'),
      ],
    },
    {
      name: 'pictures',
      needs: ['image'],
      messages: withFile(dialect, { data: pixel, mediaType: 'image/png' }),
    },
    {
      name: 'documents',
      needs: ['pdf'],
      messages: withFile(dialect, { data: document, mediaType: 'application/pdf' }),
    },
  ];
}

function withFile(
  dialect: Dialect,
  file: { readonly data: string; readonly mediaType: string },
): ModelMessage[] {
  const shown = (topic: string): ModelMessage => ({
    role: 'user',
    content: [
      { type: 'text', text: passage(topic) },
      { type: 'file', ...file },
    ],
  });
  return [
    instructions,
    shown('file one'),
    answer(dialect, 1),
    user('what it shows'),
    answer(dialect, 2),
    shown('file two'),
    answer(dialect, 3),
    shown('file three'),
  ];
}
