import type { ModelMessage, ToolResultPart } from 'ai';
import type { Conversation } from './conversation.ts';
import type { AssistantPart, Dialect } from './dialect.ts';
import { answer, passage, pixel, system, toolLoop, toolStep, user } from './messages.ts';

const instructions = system('You are an agent that works on a code base with tools.');

/** Conversations with tools that the client runs. */
export function agentConversations(dialect: Dialect): Conversation[] {
  return [
    {
      name: 'one user message and a long tool loop',
      messages: [instructions, user('the parser'), ...toolLoop(dialect, 1, 10)],
    },
    {
      name: 'a tool loop without a system message',
      messages: [user('the parser'), ...toolLoop(dialect, 1, 6)],
    },
    {
      name: 'a tool loop with words before each call',
      messages: [instructions, user('the parser'), ...toolLoop(dialect, 1, 6, { text: true })],
    },
    {
      name: 'parallel calls',
      messages: [instructions, user('the parser'), ...toolLoop(dialect, 1, 5, { calls: 3 })],
    },
    {
      name: 'two finished turns with tools and a question',
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 3),
        answer(dialect, 4),
        user('the printer'),
        ...toolLoop(dialect, 5, 2, { calls: 2 }),
        answer(dialect, 7),
        user('the end'),
      ],
    },
    {
      name: 'an agent in its second turn',
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 3),
        answer(dialect, 4),
        user('the printer'),
        ...toolLoop(dialect, 5, 4),
      ],
    },
    {
      name: 'an interrupted tool loop',
      needs: ['user-after-tool'],
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 3),
        user('something else instead'),
        ...toolLoop(dialect, 4, 3),
        user('and now this'),
      ],
    },
    {
      name: 'tools that fail',
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 5, { calls: 2, output: failure }),
        answer(dialect, 6),
        user('why it failed'),
      ],
    },
    {
      name: 'structured tool results',
      messages: [instructions, user('the parser'), ...toolLoop(dialect, 1, 5, { output: table })],
    },
    {
      name: 'pictures as tool results',
      messages: [instructions, user('the page'), ...toolLoop(dialect, 1, 5, { output: picture })],
    },
    {
      name: 'an approved and a denied call',
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 2),
        ...decided(dialect, 3, true),
        ...decided(dialect, 4, false),
        answer(dialect, 5),
        user('the end'),
      ],
    },
    {
      name: 'an approval that has just been given',
      isOpen: true,
      messages: [
        instructions,
        user('the parser'),
        ...toolLoop(dialect, 1, 4),
        ...decided(dialect, 5, true).slice(0, 2).map(withoutResult),
      ],
    },
  ];
}

function failure(index: number): ToolResultPart['output'] {
  return index === 0
    ? { type: 'error-text', value: `ENOENT: no such file. ${passage('stack', 8)}` }
    : { type: 'error-json', value: { code: 'EACCES', trace: passage('trace', 8) } };
}

function table(): ToolResultPart['output'] {
  return {
    type: 'json',
    value: { rows: [1, 2, 3].map((id) => ({ id, text: passage(`row ${id}`, 5) })) },
  };
}

function picture(index: number): ToolResultPart['output'] {
  return {
    type: 'content',
    value: [
      { type: 'text', text: passage(`picture ${index}`) },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } },
    ],
  };
}

/** A call that needed the user's approval, and what became of it. */
function decided(dialect: Dialect, step: number, approved: boolean): ModelMessage[] {
  const [call, result] = toolStep(dialect, step, approved ? {} : { output: denied });
  if (call?.role !== 'assistant' || result?.role !== 'tool' || typeof call.content === 'string')
    return [];
  const approvalId = `approval-${step}`;
  const request: AssistantPart = {
    type: 'tool-approval-request',
    approvalId,
    toolCallId: dialect.callId(step, 0),
  };
  return [
    { ...call, content: [...call.content, request] },
    {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId, approved }, ...result.content],
    },
  ];
}

function denied(): ToolResultPart['output'] {
  return { type: 'execution-denied', reason: 'The user does not want this command to run.' };
}

function withoutResult(message: ModelMessage): ModelMessage {
  return message.role === 'tool'
    ? { ...message, content: message.content.filter((part) => part.type !== 'tool-result') }
    : message;
}
