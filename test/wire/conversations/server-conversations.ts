import type { ModelMessage } from 'ai';
import type { Conversation } from './conversation.ts';
import type { Dialect } from './dialect.ts';
import { answer, system, toolLoop, user } from './messages.ts';

const instructions = system('You are an agent of a provider with tools of its own.');

/** Conversations that use what a provider runs, caches, compacts or holds itself. */
export function serverConversations(dialect: Dialect): Conversation[] {
  return [
    ...(dialect.serverTool === undefined ? [] : withServerTool(dialect, dialect.serverTool)),
    ...(dialect.cacheMark === undefined ? [] : [withCacheMarks(dialect, dialect.cacheMark)]),
    ...(dialect.compaction === undefined ? [] : [withCompaction(dialect, dialect.compaction)]),
    ...(dialect.serverState === undefined
      ? []
      : [
          {
            name: 'a history that the provider holds or compacts',
            isServerManaged: true,
            providerOptions: dialect.serverState,
            messages: [instructions, user('the parser'), ...toolLoop(dialect, 1, 5)],
          },
        ]),
  ];
}

function withServerTool(
  dialect: Dialect,
  serverTool: NonNullable<Dialect['serverTool']>,
): Conversation[] {
  return [
    {
      name: 'tools that the provider runs',
      messages: [
        instructions,
        ...[1, 2, 3, 4].flatMap((step) => [
          user(`topic ${step}`),
          answer(dialect, step, { before: serverTool(step) }),
        ]),
        user('the end'),
      ],
    },
    {
      name: 'tools of the provider and of the client in one loop',
      messages: [
        instructions,
        user('the parser'),
        ...[1, 2, 3, 4].flatMap((step) =>
          toolLoop(dialect, step, 1, { before: serverTool(step), text: true }),
        ),
      ],
    },
  ];
}

/** Four marks, the most that providers take: instructions, two old messages, the newest one. */
function withCacheMarks(
  dialect: Dialect,
  cacheMark: NonNullable<Dialect['cacheMark']>,
): Conversation {
  const messages = [user('the parser'), ...toolLoop(dialect, 1, 6)];
  const marked = new Set([0, 4, messages.length - 1]);
  return {
    name: 'four cache marks',
    messages: [
      system('You are an agent whose instructions are cached.', cacheMark),
      ...messages.map((message, index): ModelMessage =>
        marked.has(index) ? { ...message, providerOptions: cacheMark } : message,
      ),
    ],
  };
}

function withCompaction(
  dialect: Dialect,
  { part, mark }: NonNullable<Dialect['compaction']>,
): Conversation {
  return {
    name: 'a summary that the provider made',
    mustKeep: [mark],
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(dialect, 1, 3),
      answer(dialect, 4, { before: [part] }),
      user('the printer'),
      ...toolLoop(dialect, 5, 4),
    ],
  };
}
