import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import { type ModelMessage, type ToolSet, jsonSchema, tool } from 'ai';
import {
  anthropicDialect,
  type AssistantPart,
  type Dialect,
  responsesDialect,
} from './dialects.ts';
import {
  answer,
  passage,
  pixel,
  type StepOptions,
  system,
  toolLoop,
  type ToolOutput,
  toolStep,
  user,
} from './messages.ts';

/** What a conversation demands of a provider beyond plain chat and tools. */
export type Feature =
  | 'several-systems'
  | 'late-system'
  | 'prefill'
  | 'user-run'
  | 'user-after-tool'
  | 'foreign-reasoning'
  | 'image'
  | 'pdf';

/** A conversation that is legal as it stands for the provider it was written for. */
export interface Conversation {
  readonly name: string;
  readonly messages: readonly ModelMessage[];
  /** @default none */
  readonly needs?: Feature | undefined;
  /** Tools of the call. @default those of every conversation */
  readonly tools?: ToolSet | undefined;
  /** Options of the call, such as thinking switched on. */
  readonly providerOptions?: SharedV4ProviderOptions | undefined;
  /** A text that the request carries whatever is summarized, such as an opaque compaction item. */
  readonly mustKeep?: string | undefined;
  /** Whether something is still to come before the conversation can go on, such as an approval. */
  readonly isOpen?: boolean | undefined;
  /** Whether the middleware stands aside, because the provider holds or compacts the history. */
  readonly isServerManaged?: boolean | undefined;
}

/** Whether the middleware may leave the conversation alone, for what the provider does with it. */
export function maySkip({ isServerManaged, mustKeep }: Conversation): boolean {
  return isServerManaged === true || mustKeep !== undefined;
}

const inputSchema = jsonSchema<{ path?: string }>({
  type: 'object',
  properties: { path: { type: 'string' } },
});

/** The client tools of the conversations; `read_file` asks for approval in one of them. */
export const wireTools: ToolSet = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema,
    execute: () => 'The file has one line.',
  }),
  search_files: tool({ description: 'Searches files.', inputSchema }),
  execute_bash: tool({ description: 'Runs a command.', inputSchema }),
};

type Piece = ModelMessage | readonly ModelMessage[];

/** A conversation of messages and runs of messages, behind instructions. */
function instructed(
  name: string,
  pieces: readonly Piece[],
  more: Omit<Conversation, 'name' | 'messages'> = {},
): Conversation {
  return bare(
    name,
    [system('You are a careful agent that works on a code base.'), ...pieces],
    more,
  );
}

/** A conversation without instructions. */
function bare(
  name: string,
  pieces: readonly Piece[],
  more: Omit<Conversation, 'name' | 'messages'> = {},
): Conversation {
  return { name, messages: pieces.flat(), ...more };
}

/** What says and does things as a provider's model would have. */
interface Speaker {
  readonly answers: (step: number, extra?: Parameters<typeof answer>[2]) => ModelMessage;
  readonly loop: (first: number, steps: number, shape?: StepOptions) => ModelMessage[];
  /** Turns of user and assistant, numbered from `first`. */
  readonly turns: (first: number, count: number) => ModelMessage[];
}

/** What a provider's model says, in the words of its dialect. */
function speaking(dialect: Dialect): Speaker {
  const answers: Speaker['answers'] = (step, extra) => answer(dialect, step, extra);
  const loop: Speaker['loop'] = (first, steps, shape) => toolLoop(dialect, first, steps, shape);
  const turns: Speaker['turns'] = (first, count) =>
    Array.from({ length: count }, (_, index) => [
      user(`topic ${first + index}`),
      answers(first + index),
    ]).flat();
  return { answers, loop, turns };
}

const parser: ModelMessage = user('the parser');
const printer: ModelMessage = user('the printer');
const end: ModelMessage = user('the end');

/**
 * The canonical conversations, written the way one provider's model would have had them. What else those at random have,
 * such as several system messages, is not in them.
 */
export function conversationsIn(dialect: Dialect): Conversation[] {
  return [
    ...chats(dialect),
    ...toolLoops(dialect),
    ...withReasoning(dialect),
    ...withProviderFeatures(dialect),
  ];
}

function chats(dialect: Dialect): Conversation[] {
  const { answers, turns } = speaking(dialect);
  const showing = (file: object): Piece[] => [
    user('file one', file),
    answers(1),
    user('what it shows'),
    answers(2),
    user('file two', file),
    answers(3),
    user('file three', file),
  ];
  const picture = { type: 'file', data: pixel, mediaType: 'image/png' };
  // The smallest thing that begins like a PDF document.
  const data = Buffer.from('%PDF-1.4\n%%EOF').toString('base64');
  const halves = (step: number): ModelMessage[] => [
    user(`first half ${step}`, { type: 'text', text: passage(`second half ${step}`) }),
    answers(step),
  ];
  const prefill: ModelMessage = { role: 'assistant', content: 'The short answer is' };
  return [
    instructed('plain chat', [turns(1, 5), end]),
    instructed('prefilled answer', [turns(1, 3), end, prefill], { needs: 'prefill' }),
    instructed('user messages of several texts', [...[1, 2, 3].map(halves), end]),
    instructed('pictures', showing(picture), { needs: 'image' }),
    instructed('documents', showing({ type: 'file', data, mediaType: 'application/pdf' }), {
      needs: 'pdf',
    }),
  ];
}

const failure = (index: number): ToolOutput =>
  index === 0
    ? { type: 'error-text', value: `ENOENT: no such file. ${passage('stack', 8)}` }
    : { type: 'error-json', value: { code: 'EACCES', trace: passage('trace', 8) } };
const table = (): ToolOutput => ({
  type: 'json',
  value: { rows: [1, 2, 3].map((id) => ({ id, text: passage(`row ${id}`, 5) })) },
});
const pictured = (index: number): ToolOutput => ({
  type: 'content',
  value: [
    { type: 'text', text: passage(`picture ${index}`) },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: pixel } },
  ],
});
const denied = (): ToolOutput => ({
  type: 'execution-denied',
  reason: 'The user does not want this command to run.',
});

/** A call that needed the user's approval, and what became of it. */
function decided(
  dialect: Dialect,
  step: number,
  approved: boolean,
  hasResult = true,
): ModelMessage[] {
  const [call, result] = toolStep(dialect, step, approved ? {} : { output: denied });
  if (call?.role !== 'assistant' || result?.role !== 'tool' || typeof call.content === 'string')
    return [];
  const approvalId = `approval-${step}`;
  const toolCallId = dialect.callId(step, 0);
  return [
    {
      ...call,
      content: [...call.content, { type: 'tool-approval-request', approvalId, toolCallId }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId, approved },
        ...(hasResult ? result.content : []),
      ],
    },
  ];
}

/** Conversations with tools that the client runs. */
function toolLoops(dialect: Dialect): Conversation[] {
  const { answers, loop } = speaking(dialect);
  const approval = decided(dialect, 5, true, false);
  return [
    instructed('one user message and a long tool loop', [parser, loop(1, 10)]),
    bare('a tool loop of parallel calls with words', [
      parser,
      loop(1, 5, { calls: 3, text: true }),
    ]),
    instructed('an agent in its second turn', [
      parser,
      loop(1, 3),
      answers(4),
      printer,
      loop(5, 4),
    ]),
    instructed('tools that fail', [
      parser,
      loop(1, 5, { calls: 2, output: failure }),
      answers(6),
      end,
    ]),
    instructed('structured tool results', [parser, loop(1, 5, { output: table })]),
    instructed('pictures as tool results', [parser, loop(1, 5, { output: pictured })]),
    instructed('an approved and a denied call', [
      parser,
      loop(1, 2),
      decided(dialect, 3, true),
      decided(dialect, 4, false),
      answers(5),
      end,
    ]),
    instructed('an approval that has just been given', [parser, loop(1, 4), approval], {
      isOpen: true,
    }),
  ];
}

/** Conversations whose assistant messages carry reasoning. */
function withReasoning(dialect: Dialect): Conversation[] {
  const { answers, loop } = speaking(dialect);
  const { reasoningCall: providerOptions, reasoningOptions, hiddenReasoning } = dialect;
  const found: Conversation[] = [];
  const signed = { reasoning: 'signed', text: true } as const;
  if (reasoningOptions !== undefined)
    found.push(
      instructed(
        'a tool loop of parallel calls with signed reasoning',
        [
          parser,
          loop(1, 2, { ...signed, calls: 2 }),
          answers(3, signed),
          printer,
          loop(4, 3, { ...signed, calls: 3 }),
        ],
        { providerOptions },
      ),
    );
  if (hiddenReasoning !== undefined)
    found.push(
      instructed(
        'a tool loop with reasoning the provider hides',
        [parser, loop(1, 5, { reasoning: 'hidden' })],
        { providerOptions },
      ),
    );
  return found;
}

/** Conversations that use what a provider runs, caches, compacts or holds itself. */
function withProviderFeatures(dialect: Dialect): Conversation[] {
  const { answers, loop } = speaking(dialect);
  const { serverTool, cacheMark, compaction, serverState } = dialect;
  const found: Conversation[] = [];
  if (serverTool !== undefined)
    found.push(
      instructed('tools of the provider and of the client in one loop', [
        parser,
        ...[1, 2, 3, 4].map((step) => loop(step, 1, { before: serverTool(step), text: true })),
      ]),
    );
  if (cacheMark !== undefined) {
    // Four marks, the most that providers take: instructions, two old messages, the newest one.
    const messages = [parser, ...loop(1, 6)];
    const marked = messages.map((message, index) =>
      [0, 4, messages.length - 1].includes(index)
        ? { ...message, providerOptions: cacheMark }
        : message,
    );
    found.push(
      bare('four cache marks', [system('Your instructions are cached.', cacheMark), marked]),
    );
  }
  if (compaction !== undefined) {
    const { part, mark } = compaction;
    found.push(
      instructed(
        'a summary that the provider made',
        [parser, loop(1, 3), answers(4, { before: [part] }), printer, loop(5, 4)],
        { mustKeep: mark },
      ),
    );
  }
  if (serverState !== undefined)
    found.push(
      instructed('a history that the provider holds or compacts', [parser, loop(1, 5)], {
        isServerManaged: true,
        providerOptions: serverState,
      }),
    );
  return found;
}

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

/** OpenAI Responses only: approvals of the provider's tools, nothing stored, a compaction that is carried, an effort. */
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
