import type { ModelMessage } from 'ai';
import {
  bare,
  type Conversation,
  end,
  instructed,
  parser,
  printer,
  speaking,
} from './conversations.ts';
import { anthropicDialect, type AssistantPart, responsesDialect } from './dialects.ts';
import { passage, system, type ToolOutput } from './messages.ts';

/** A code execution that calls a client tool, the tool's answer, and the execution's own result. */
function codeExecution(step: number): ModelMessage[] {
  const code = { toolCallId: `srvtoolu_${step}`, toolName: 'code_execution' };
  const read = { toolCallId: anthropicDialect.callId(step, 0), toolName: 'read_file' };
  const caller = { type: 'code_execution_20250825', toolId: code.toolCallId };
  const value = { type: 'code_execution_result', stdout: 'ok', stderr: '', return_code: 0 };
  const run = { type: 'programmatic-tool-call', code: 'read_file("a.ts")' };
  const byCode = { input: { path: 'a.ts' }, providerOptions: { anthropic: { caller } } };
  const output: ToolOutput = { type: 'text', value: passage(`file of step ${step}`) };
  return [
    said(
      { type: 'tool-call', ...code, input: run, providerExecuted: true },
      { type: 'tool-call', ...read, ...byCode },
    ),
    { role: 'tool', content: [{ type: 'tool-result', ...read, output }] },
    said(
      { type: 'tool-result', ...code, output: { type: 'json', value } },
      { type: 'text', text: `The code ran in step ${step}. ${passage(`run ${step}`, 8)}` },
    ),
  ];
}

function said(...content: readonly AssistantPart[]): ModelMessage {
  return { role: 'assistant', content: [...content] };
}

const claude = speaking(anthropicDialect);
const gpt = speaking(responsesDialect);

/** Anthropic only: client tools called from inside a code execution, and a paused server tool. */
export const anthropicConversations: readonly Conversation[] = [
  instructed('client tools called from a code execution', [
    parser,
    claude.loop(1, 2),
    codeExecution(3),
    codeExecution(4),
    end,
  ]),
  instructed(
    'a code execution that waits for a client tool',
    [parser, claude.loop(1, 4), codeExecution(5).slice(0, 2)],
    { isOpen: true },
  ),
  instructed(
    'a provider tool that has not answered yet',
    [parser, claude.loop(1, 4), said(...(anthropicDialect.serverTool?.(5) ?? []).slice(0, 1))],
    { isOpen: true },
  ),
];

/** An MCP call that the provider runs, and the user's approval of it. */
function approvedByUser(step: number): ModelMessage[] {
  const [approvalId, toolCallId] = [`mcpr_${step}`, `mcp-call-${step}`];
  const call = { toolCallId, toolName: 'mcp.publish', input: { note: 'ready' } };
  const response = { approvalId, approved: true, providerExecuted: true };
  return [
    said(
      { type: 'tool-call', ...call, providerExecuted: true },
      { type: 'tool-approval-request', approvalId, toolCallId },
    ),
    { role: 'tool', content: [{ type: 'tool-approval-response', ...response }] },
  ];
}

const signed = { reasoning: 'signed' } as const;
const nothingStored = { providerOptions: { openai: { store: false } } };
const compacted = { before: responsesDialect.compaction ? [responsesDialect.compaction.part] : [] };

/** OpenAI Responses only: approvals of the provider's tools, nothing stored, a compaction that is carried. */
export const responsesConversations: readonly Conversation[] = [
  instructed(
    'approvals of a tool that the provider runs',
    [
      parser,
      gpt.loop(1, 2),
      approvedByUser(3),
      gpt.answers(4, signed),
      printer,
      gpt.loop(5, 2),
      approvedByUser(7),
    ],
    { isOpen: true },
  ),
  instructed(
    'encrypted reasoning with nothing stored',
    [
      parser,
      gpt.loop(1, 4, signed),
      gpt.answers(5, signed),
      printer,
      gpt.loop(6, 2, { ...signed, calls: 2 }),
    ],
    nothingStored,
  ),
  instructed(
    'a compaction item that the client carries',
    [parser, gpt.loop(1, 2), gpt.answers(3, compacted), printer, gpt.loop(4, 4)],
    { ...nothingStored, mustKeep: 'opaque-compaction' },
  ),
];

/** OpenAI Responses only, beside those that are generated: settings that come in mid conversation. */
export const responsesStateConversations: readonly Conversation[] = [
  instructed(
    'a change of the reasoning effort in mid conversation',
    [
      parser,
      gpt.loop(1, 2),
      gpt.answers(3),
      system('', { openai: { reasoningEffortUpdate: 'high' } }),
      printer,
      gpt.loop(4, 4),
    ],
    { mustKeep: '"type":"configuration_update"' },
  ),
  bare(
    'an effort of the whole call beside an update',
    [
      parser,
      gpt.answers(1),
      system('', { openai: { reasoningEffortUpdate: 'high' } }),
      printer,
      gpt.loop(2, 3),
    ],
    { providerOptions: { openai: { reasoningEffortUpdate: 'medium' } } },
  ),
];

/** Anthropic models that take controls in mid conversation, beside those that are generated. */
export const anthropicStateConversations: readonly Conversation[] = [
  instructed(
    'a change of effort in mid conversation',
    [
      parser,
      claude.loop(1, 2),
      claude.answers(3),
      printer,
      system('Take your time now.', { anthropic: { effort: 'high' } }),
      claude.loop(4, 4),
    ],
    { mustKeep: '"effort":"high"' },
  ),
];
