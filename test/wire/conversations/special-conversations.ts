import type { ModelMessage } from 'ai';
import { proofOf } from '../proof.ts';
import type { Conversation } from './conversation.ts';
import { anthropicDialect, responsesDialect } from './dialects.ts';
import { answer, passage, system, toolLoop, user } from './messages.ts';

const instructions = system('You are an agent.');

/** Anthropic only: client tools called from inside a code execution, and a paused server tool. */
export const anthropicConversations: readonly Conversation[] = [
  {
    name: 'client tools called from a code execution',
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(anthropicDialect, 1, 2),
      ...codeExecution(3),
      ...codeExecution(4),
      user('the end'),
    ],
  },
  {
    name: 'a code execution that waits for a client tool',
    isOpen: true,
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(anthropicDialect, 1, 4),
      ...codeExecution(5).slice(0, 2),
    ],
  },
  {
    name: 'a provider tool that has not answered yet',
    isOpen: true,
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(anthropicDialect, 1, 4),
      { role: 'assistant', content: (anthropicDialect.serverTool?.(5) ?? []).slice(0, 1) },
    ],
  },
];

/** Anthropic models that take system messages in mid conversation, with options of their own too. */
export const lateSystemConversations: readonly Conversation[] = [
  {
    name: 'a change of effort in mid conversation',
    mustKeep: ['"effort":"high"'],
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(anthropicDialect, 1, 2),
      answer(anthropicDialect, 3),
      user('the printer'),
      system('Take your time now.', { anthropic: { effort: 'high' } }),
      ...toolLoop(anthropicDialect, 4, 4),
    ],
  },
];

/** A code execution that calls a client tool, the tool's answer, and the execution's own result. */
function codeExecution(step: number): ModelMessage[] {
  const toolCallId = `srvtoolu_${step}`;
  const caller = { type: 'code_execution_20250825', toolId: toolCallId };
  return [
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId,
          toolName: 'code_execution',
          input: { type: 'programmatic-tool-call', code: 'read_file("a.ts")' },
          providerExecuted: true,
        },
        {
          type: 'tool-call',
          toolCallId: anthropicDialect.callId(step, 0),
          toolName: 'read_file',
          input: { path: 'a.ts' },
          providerOptions: { anthropic: { caller } },
        },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: anthropicDialect.callId(step, 0),
          toolName: 'read_file',
          output: { type: 'text', value: passage(`file of step ${step}`) },
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-result',
          toolCallId,
          toolName: 'code_execution',
          output: {
            type: 'json',
            value: { type: 'code_execution_result', stdout: 'ok', stderr: '', return_code: 0 },
          },
        },
        { type: 'text', text: `The code ran in step ${step}. ${passage(`run ${step}`, 8)}` },
      ],
    },
  ];
}

/** OpenAI Responses only: approvals of the provider's tools, and nothing stored. */
export const responsesConversations: readonly Conversation[] = [
  {
    name: 'approvals of a tool that the provider runs',
    isOpen: true,
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(responsesDialect, 1, 2),
      ...approvedByUser(3),
      answer(responsesDialect, 4, { reasoning: 'signed' }),
      user('the printer'),
      ...toolLoop(responsesDialect, 5, 2),
      ...approvedByUser(7),
    ],
  },
  {
    name: 'a change of the reasoning effort in mid conversation',
    mustKeep: ['"type":"configuration_update"'],
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(responsesDialect, 1, 2),
      answer(responsesDialect, 3),
      system('', { openai: { reasoningEffortUpdate: 'high' } }),
      user('the printer'),
      ...toolLoop(responsesDialect, 4, 4),
    ],
  },
  {
    name: 'encrypted reasoning with nothing stored',
    providerOptions: { openai: { store: false } },
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(responsesDialect, 1, 4, { reasoning: 'signed' }),
      answer(responsesDialect, 5, { reasoning: 'signed' }),
      user('the printer'),
      ...toolLoop(responsesDialect, 6, 2, { reasoning: 'signed', calls: 2 }),
    ],
  },
  {
    name: 'a compaction item that the client carries',
    providerOptions: { openai: { store: false } },
    mustKeep: ['opaque-compaction'],
    messages: [
      instructions,
      user('the parser'),
      ...toolLoop(responsesDialect, 1, 2),
      answer(responsesDialect, 3, {
        before: responsesDialect.compaction === undefined ? [] : [responsesDialect.compaction.part],
      }),
      user('the printer'),
      ...toolLoop(responsesDialect, 4, 4),
    ],
  },
];

function approvedByUser(step: number): ModelMessage[] {
  const approvalId = `mcpr_${step}`;
  const toolCallId = `mcp-call-${step}`;
  return [
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId,
          toolName: 'mcp.publish',
          input: { note: proofOf(approvalId) },
          providerExecuted: true,
        },
        { type: 'tool-approval-request', approvalId, toolCallId },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true },
      ],
    },
  ];
}
