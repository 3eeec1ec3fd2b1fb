import { type JsonRecord, list, record, records, text } from '../json-view.ts';
import { checker, faultsOf, isJsonObjectText, type RuleViolation, type Turn } from './rule.ts';
import {
  jsonReply,
  namedSseReply,
  pieces,
  type Said,
  saying,
  sseReply,
  type WireApi,
  type WireReply,
  type WireRequest,
} from './wire-api.ts';

/** A body of chat completions, and what its turns break. */
function viewOf(body: JsonRecord) {
  const messages = records(body.messages);
  const roles = messages.map(({ role }) => text(role));
  const calls = messages.flatMap((message) => records(message.tool_calls));
  return { messages, roles, calls, ...faultsOf(messages.map(turnOf)) };
}

type View = ReturnType<typeof viewOf>;

/** A `developer` is a system turn. A tool's output and the empty text beside tool calls may be blank. */
function turnOf(message: JsonRecord): Turn {
  const { role, content } = message;
  const isBesideCalls = content === '' && list(message.tool_calls).length > 0;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : records(content);
  return {
    role: role === 'user' || role === 'assistant' || role === 'tool' ? role : 'system',
    texts:
      role === 'tool' || isBesideCalls
        ? []
        : parts.filter(({ type }) => type === 'text').map((part) => text(part.text)),
    calls: records(message.tool_calls).map((call) => text(call.id)),
    results: role === 'tool' ? [text(message.tool_call_id)] : [],
  };
}

const keys = ['role', 'content', 'name', 'tool_calls', 'tool_call_id'];
/** C9: keys of a message that nobody knows. */
const hasOtherKeys =
  (...alsoKnown: string[]) =>
  ({ messages }: View): boolean =>
    messages.some((message) =>
      Object.keys(message).some((key) => ![...keys, ...alsoKnown].includes(key)),
    );
/** C10. */
const hasUnreadableArguments = ({ calls }: View): boolean =>
  calls.some((call) => !isJsonObjectText(record(call.function).arguments));

/** Rules C* and OC* of OpenAI's chat completions; a service may know other keys of messages. */
const openaiRules = (...alsoKnown: string[]) =>
  checker(viewOf, {
    E: {
      "C1: Invalid 'messages': empty array. Expected an array with minimum length 1.": ({
        isEmpty,
      }) => isEmpty,
      "C5: Duplicate value for 'tool_call_id'": ({ isDuplicate }) => isDuplicate,
      "C6: Invalid 'messages.content': empty text.": ({ isBlank }) => isBlank,
      'C9: property is unsupported': hasOtherKeys(...alsoKnown),
      "C10: Invalid 'messages.tool_calls': function arguments must be valid JSON.":
        hasUnreadableArguments,
      "OC1: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.":
        ({ isOrphan }) => isOrphan,
      "OC2: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.":
        ({ isUnanswered }) => isUnanswered,
      "OC4: Invalid value for 'content': expected a string, got null.": ({ messages }) =>
        messages.some((each) => each.content === null && list(each.tool_calls).length === 0),
    },
    W: {
      'C2: The conversation does not begin with a user message.': ({ opensWithUser }) =>
        !opensWithUser,
    },
  });

/** MI1: roles that may follow a role. */
const followers: Readonly<Record<string, readonly string[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool', 'user'],
};
const pairs = ({ roles }: View): [string, string][] =>
  roles.slice(1).map((role, index) => [roles[index] ?? '', role]);
const toolNames = ({ calls }: View): string[] =>
  calls.map((call) => text(record(call.function).name));

/** Rules C* and MI* of Mistral's chat completions. */
const mistralRules = checker(viewOf, {
  E: {
    'C1: Conversation must have at least one message': ({ isEmpty }) => isEmpty,
    'C6: Message must have non-empty content or tool_calls.': ({ isBlank }) => isBlank,
    'C9: extra_forbidden': hasOtherKeys('prefix'),
    'C10: Function arguments must be valid JSON.': hasUnreadableArguments,
    'MI1: Unexpected role after role': (view) =>
      pairs(view).some(([before, role]) => !(followers[before] ?? []).includes(role)),
    'MI3: Not the same number of function calls and responses': (view) =>
      view.isOrphan || view.isUnanswered || view.isDuplicate,
    'MI4: Tool call id must be a-z, A-Z, 0-9, with a length of 9.': ({ messages, calls }) =>
      [
        ...calls.map(({ id }) => id),
        ...messages.filter(({ role }) => role === 'tool').map((each) => each.tool_call_id),
      ].some((id) => !/^[a-zA-Z0-9]{9}$/.test(text(id))),
    'MI5: Expected last role User or Tool (or Assistant with prefix set to True) for serving': ({
      messages,
      roles,
    }) =>
      roles.length > 0 &&
      !['user', 'tool'].includes(roles.at(-1) ?? '') &&
      !(roles.at(-1) === 'assistant' && messages.at(-1)?.prefix === true),
    'MI7: Function name must be a-z, A-Z, 0-9, or contain underscores and dashes': (view) =>
      toolNames(view).some((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name)),
  },
  S: {
    "C2: Expected the first message after the system messages to be of role 'user'": ({
      opensWithUser,
    }) => !opensWithUser,
    "MI2: Unexpected role 'user' after role 'tool'": (view) =>
      pairs(view).some(([before, role]) => before === 'tool' && role === 'user'),
  },
  W: {
    'MI6: Assistant message must have either content or tool_calls, but not both.': ({
      messages,
    }) =>
      messages.some(
        ({ content, tool_calls: calls }) =>
          list(calls).length > 0 && (list(content).length > 0 || text(content) !== ''),
      ),
  },
});

/** Rules C* and ST* of an OpenAI-compatible server in front of a strict chat template. */
const templateRules = checker(viewOf, {
  E: {
    'C1: list index out of range': ({ isEmpty }) => isEmpty,
    'C3: Message has tool role, but there was no previous assistant message with a tool call!': ({
      isOrphan,
    }) => isOrphan,
    'C4: A tool call has no response.': ({ isUnanswered }) => isUnanswered,
    'C5: A tool call appears twice.': ({ isDuplicate }) => isDuplicate,
    'C6: content must not be empty.': ({ isBlank }) => isBlank,
    'C9: property is unsupported': hasOtherKeys('reasoning_content'),
    'C10: function arguments must be valid JSON.': hasUnreadableArguments,
  },
  S: {
    'C2: No user query found in messages: the first message must be a user message.': ({
      opensWithUser,
    }) => !opensWithUser,
    'ST1: System message must be at the beginning.': ({ roles }) => roles.lastIndexOf('system') > 0,
    // As the Mistral template words it: leaving tool traffic aside, user and assistant take turns.
    'ST2: Conversation roles must alternate user/assistant/user/assistant/...': ({ messages }) =>
      messages
        .filter(
          ({ role, tool_calls: calls }) =>
            role === 'user' || (role === 'assistant' && records(calls).length === 0),
        )
        .some(({ role }, index) => role !== (index % 2 === 0 ? 'user' : 'assistant')),
    'ST3: Unexpected message role: developer': ({ roles }) => roles.includes('developer'),
  },
});

/** OpenAI's `/chat/completions`. */
export const openaiChatApi: WireApi = {
  rules: ({ body }) => openaiRules()(body),
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(400, {
      error: { message, type: 'invalid_request_error', param: 'messages', code: null },
    }),
  answer: answerChat,
};

/** DeepSeek's `/chat/completions`: reasoning goes back, and the last answer may be a prefix. */
export const deepseekApi: WireApi = {
  ...openaiChatApi,
  rules: ({ body }) => openaiRules('reasoning_content', 'prefix')(body),
};

/** Groq's `/chat/completions`, which refuses what it does not know: rules GR1 and GR2. */
export const groqApi: WireApi = {
  ...openaiChatApi,
  isStrict: true,
  rules: ({ body }) => openaiRules('reasoning')(body),
};

/** A self-hosted server that renders a strict chat template. */
export const strictTemplateApi: WireApi = {
  rules: ({ body }) => templateRules(body),
  isStrict: true,
  refuse: ({ message }) =>
    jsonReply(400, { error: { message, type: 'BadRequestError', param: null, code: 400 } }),
  answer: answerChat,
};

/** Mistral's `/chat/completions`, as La Plateforme checks it. */
export const mistralApi: WireApi = {
  rules: ({ body }) => mistralRules(body),
  isStrict: true,
  refuse: refuseMistral,
  answer: answerChat,
};

function refuseMistral({ rule, message }: RuleViolation): WireReply {
  const isOrder = ['MI1', 'MI2', 'MI5'].includes(rule);
  const error = isOrder
    ? { type: 'invalid_request_message_order', code: '3230' }
    : { type: 'invalid_request_error', code: null };
  return jsonReply(400, { object: 'error', message, param: null, ...error });
}

/** Cohere's `/v2/chat`, whose messages are those of chat completions: rules CO1 and CO2. */
export const cohereApi: WireApi = {
  rules: ({ body }) => openaiRules('tool_plan')(body),
  isStrict: true,
  refuse: ({ message }) => jsonReply(400, { message }),
  answer: answerCohere,
};

const wantsObject = ({ response_format: format }: JsonRecord): boolean =>
  text(record(format).type).startsWith('json');

function answerChat({ body }: WireRequest, given?: Partial<Said>): WireReply {
  const { text: content, input, cached, output, finishReason } = saying(wantsObject(body), given);
  const envelope = { id: 'chatcmpl-1', created: 1_760_000_000, model: text(body.model) };
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  if (body.stream !== true) {
    const message = { role: 'assistant', content };
    const choices = [{ index: 0, message, finish_reason: finishReason }];
    return jsonReply(200, { ...envelope, object: 'chat.completion', choices, usage });
  }
  const chunk = (delta: JsonRecord, finished: string | null): JsonRecord => ({
    ...envelope,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finished }],
  });
  return sseReply(
    [
      chunk({ role: 'assistant', content: '' }, null),
      ...pieces(content).map((piece) => chunk({ content: piece }, null)),
      { ...chunk({}, finishReason), usage },
    ],
    '[DONE]',
  );
}

function answerCohere({ body }: WireRequest, given?: Partial<Said>): WireReply {
  const { text: content, input, output } = saying(wantsObject(body), given);
  const usage = { tokens: { input_tokens: input, output_tokens: output } };
  const end = { finish_reason: 'COMPLETE', usage };
  if (body.stream !== true) {
    const message = { role: 'assistant', content: [{ type: 'text', text: content }] };
    return jsonReply(200, { id: 'chat-1', message, ...end });
  }
  const part = (type: string, more: JsonRecord): JsonRecord => ({
    type,
    index: 0,
    delta: { message: { content: more } },
  });
  return namedSseReply([
    { type: 'message-start', id: 'chat-1' },
    part('content-start', { type: 'text', text: '' }),
    ...pieces(content).map((piece) => part('content-delta', { text: piece })),
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: end },
  ]);
}
