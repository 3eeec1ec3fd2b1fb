import { isRecord, type JsonRecord, record, records, text } from '../json-view.ts';
import { checker, faultsOf, proofOf, type Turn } from './rule.ts';
import {
  jsonReply,
  namedSseReply,
  pieces,
  type Said,
  saying,
  type WireApi,
  type WireReply,
  type WireRequest,
} from './wire-api.ts';

type Blocks = readonly JsonRecord[];

/** A body, its content blocks, and what its turns break. */
function viewOf(body: JsonRecord) {
  const messages = records(body.messages);
  const contents = messages.map(({ content }) => records(content));
  const blocks = contents.flat();
  return {
    body,
    messages,
    contents,
    blocks,
    uses: blocks.filter(({ type }) => type === 'tool_use'),
    compactions: blocks.filter(({ type }) => type === 'compaction'),
    isThoughtful: ['enabled', 'adaptive'].includes(text(record(body.thinking).type)),
    ...faultsOf(messages.map(turnOf)),
  };
}

type View = ReturnType<typeof viewOf>;

function turnOf({ role, content }: JsonRecord): Turn {
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    texts: [],
    calls: idsOf(records(content), 'id', (type) => type === 'tool_use'),
    results: idsOf(records(content), 'tool_use_id', (type) => type === 'tool_result'),
  };
}

function idsOf(blocks: Blocks, key: string, matches: (type: string) => boolean): string[] {
  return blocks.filter(({ type }) => matches(text(type))).map((block) => text(block[key]));
}

const isThinking = (block: JsonRecord | undefined): boolean =>
  block?.type === 'thinking' || block?.type === 'redacted_thinking';
const isSystem = ({ role }: JsonRecord): boolean => role === 'system';
/** Whether a system message does nothing but set the effort. */
const isEffortOnly = (message: JsonRecord): boolean =>
  isSystem(message) && records(message.content).length === 0 && isRecord(message.output_config);
const marked = ({ body, blocks }: View): Blocks =>
  [...records(body.tools), ...records(body.system), ...blocks].filter((block) =>
    isRecord(block.cache_control),
  );

/**
 * AN10: a run of system messages is looked at as a group: it follows a user message and is the end or followed by an
 * assistant message, unless all that it does is to set the effort.
 */
function hasMisplacedSystem({ messages }: View): boolean {
  return messages.some((message, index) => {
    if (!isSystem(message)) return false;
    const start = messages.slice(0, index).findLastIndex((other) => !isSystem(other));
    const after = messages.findIndex((other, at) => at > index && !isSystem(other));
    const end = after === -1 ? messages.length : after;
    const isPlaced =
      messages[start]?.role === 'user' && (after === -1 || messages[after]?.role === 'assistant');
    return !isPlaced && !messages.slice(start + 1, end).every(isEffortOnly);
  });
}

/** AN10: what is added by reference is declared and not there yet, what is removed is there. */
function hasWrongToolChange({ body, blocks }: View): boolean {
  const tools = records(body.tools);
  const declared = new Set(tools.map(({ name }) => text(name)));
  const loaded = new Set(
    tools.filter((tool) => tool.defer_loading !== true).map(({ name }) => text(name)),
  );
  return blocks.some((block) => {
    const { definition, name } = record(block.tool);
    const tool = text(name);
    if (block.type === 'tool_removal') return !loaded.delete(tool);
    if (block.type !== 'tool_addition') return false;
    if (isRecord(definition)) {
      loaded.add(text(definition.name));
      return false;
    }
    const isWrong = !declared.has(tool) || loaded.has(tool);
    loaded.add(tool);
    return isWrong;
  });
}

/** AN8: with thinking on, the assistant message that called the tools begins with its thinking. */
function hasLostThinking({ contents, messages, isThoughtful }: View): boolean {
  const endsWithResult = contents.at(-1)?.some(({ type }) => type === 'tool_result') === true;
  const [first] = contents[messages.findLastIndex(({ role }) => role === 'assistant')] ?? [];
  return isThoughtful && endsWithResult && first !== undefined && !isThinking(first);
}

const isServerResult = (type: string): boolean => type.endsWith('_tool_result');
const isServerUse = (type: string): boolean => type === 'server_tool_use';
const callersIn = (blocks: Blocks): string[] =>
  blocks.map(({ caller }) => text(record(caller).tool_id)).filter((id) => id !== '');

/**
 * AN11: a server tool's use and result stay together. A use at the very end of the prompt is a paused turn, and one
 * that called client tools gets its result in a later message.
 */
function hasLoneServerTool({ contents, blocks }: View): boolean {
  const callers = callersIn(blocks);
  const uses = idsOf(blocks, 'id', isServerUse);
  const isUnanswered = contents.slice(0, -1).some((content) => {
    const results = idsOf(content, 'tool_use_id', isServerResult);
    return idsOf(content, 'id', isServerUse).some(
      (id) => !results.includes(id) && !callers.includes(id),
    );
  });
  return (
    isUnanswered || idsOf(blocks, 'tool_use_id', isServerResult).some((id) => !uses.includes(id))
  );
}

/** Rules C* and AN* of Anthropic's Messages API. */
const rules = checker(viewOf, {
  E: {
    'AN1: messages: at least one message is required': ({ isEmpty }) => isEmpty,
    'AN2: messages: first message must use the "user" role': ({ messages, blocks }) =>
      messages[0]?.role === 'assistant' && blocks[0]?.type !== 'compaction',
    'AN3: messages: `tool_use` ids were found without `tool_result` blocks immediately after.': ({
      isUnanswered,
    }) => isUnanswered,
    'AN3: messages: `tool_result` blocks must come first in the content of a user message.': ({
      contents,
    }) =>
      contents.some((content) => {
        const other = content.findIndex(({ type }) => type !== 'tool_result');
        return other !== -1 && content.slice(other).some(({ type }) => type === 'tool_result');
      }),
    'AN4: messages: unexpected `tool_use_id` found in `tool_result` blocks. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.':
      ({ isOrphan }) => isOrphan,
    'AN5: messages: each tool_use must have a single result.': ({ isDuplicate }) => isDuplicate,
    'AN6: messages: text content blocks must contain non-whitespace text': ({ body, blocks }) =>
      [...records(body.system), ...blocks].some(
        (block) => block.type === 'text' && text(block.text).trim() === '',
      ),
    'AN6: messages: all messages must have non-empty content': ({ messages }) =>
      messages.some((each) => records(each.content).length === 0 && !isEffortOnly(each)),
    'AN7: A maximum of 4 blocks with cache_control may be provided.': (view) =>
      marked(view).length > 4,
    'AN7: messages: cache_control is not allowed on thinking blocks': (view) =>
      marked(view).some(isThinking),
    'AN8: Expected `thinking` or `redacted_thinking`. When `thinking` is enabled, a final `assistant` message must start with a thinking block.':
      hasLostThinking,
    'AN8: messages: Invalid `signature` in `thinking` block': ({ blocks }) =>
      blocks.some(
        ({ type, signature, thinking }) =>
          type === 'thinking' && signature !== proofOf(text(thinking)),
      ),
    'AN8b: The final block in an assistant message cannot be `thinking`.': (view) =>
      view.messages.some(
        ({ role }, index) => role === 'assistant' && isThinking(view.contents[index]?.at(-1)),
      ),
    'AN8b: a final assistant message cannot contain thinking when thinking is disabled': (view) =>
      view.messages.at(-1)?.role === 'assistant' &&
      !view.isThoughtful &&
      view.contents.at(-1)?.some(isThinking) === true,
    'AN9: messages: final assistant content cannot end with trailing whitespace': (view) =>
      view.messages.at(-1)?.role === 'assistant' && /\s$/.test(text(view.blocks.at(-1)?.text)),
    'AN10: messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.':
      ({ body, messages }) =>
        messages.some(isSystem) && !text(body.model).startsWith('claude-opus-4-8'),
    'AN10: a system message must follow a user message and precede an assistant message.':
      hasMisplacedSystem,
    'AN10: clear_at takes text only.': ({ messages }) =>
      messages.some(
        ({ role, clear_at: clears, content }) =>
          role === 'system' &&
          clears !== undefined &&
          records(content).some(({ type }) => type !== 'text'),
      ),
    'AN10: Unknown tool, or one that is there already.': hasWrongToolChange,
    'AN11: messages: a server tool use was found without its result, or the result without it':
      hasLoneServerTool,
    'AN12: messages: Invalid `signature` in `compaction` block': ({ compactions }) =>
      compactions.some(
        ({ signature, content }) => signature !== undefined && signature !== proofOf(text(content)),
      ),
    'AN12: messages: at most one `compaction` block may be provided': ({ compactions }) =>
      compactions.length > 1,
    'AN13: messages.content: Input should be a valid dictionary': ({ uses }) =>
      uses.some(({ input }) => !isRecord(input)),
    "AN14: messages.content: String should match pattern '^[a-zA-Z0-9_-]+$'": ({ uses }) =>
      uses.some(({ id }) => !/^[a-zA-Z0-9_-]+$/.test(text(id))),
    'AN15: messages: `caller` refers to an unknown code execution': ({ blocks }) =>
      callersIn(blocks).some((id) => !idsOf(blocks, 'id', isServerUse).includes(id)),
  },
});

/** Anthropic's `/messages`. */
export const anthropicApi: WireApi = {
  rules: ({ body }) => rules(body),
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message },
        request_id: 'req_011CTnjYQpd6yrKZVACS9Qrs',
      },
      { 'x-should-retry': 'false' },
    ),
  answer,
};

function answer({ body }: WireRequest, given?: Partial<Said>): WireReply {
  const isToolMode = record(body.tool_choice).name === 'json';
  const format = record(record(body.output_config).format);
  const {
    text: said,
    input,
    cached,
    output,
  } = saying(isToolMode || format.type === 'json_schema', given);
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: text(body.model),
    stop_sequence: null,
    usage: {
      input_tokens: input - cached,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: 0,
      output_tokens: output,
    },
  };
  const tool = { type: 'tool_use', id: 'toolu_answer', name: 'json' };
  const stopReason = isToolMode ? 'tool_use' : 'end_turn';
  if (body.stream !== true) {
    const block = isToolMode
      ? { ...tool, input: record(JSON.parse(said)) }
      : { type: 'text', text: said };
    return jsonReply(200, { ...message, content: [block], stop_reason: stopReason });
  }
  return namedSseReply([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: isToolMode ? { ...tool, input: {} } : { type: 'text', text: '' },
    },
    { type: 'ping' },
    ...pieces(said).map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: isToolMode
        ? { type: 'input_json_delta', partial_json: piece }
        : { type: 'text_delta', text: piece },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: 'message_stop' },
  ]);
}
