import { type JsonRecord, record, text } from '../json-view.ts';
import { openaiChatRules } from '../rules/openai-chat.ts';
import type { RuleViolation } from '../rules/rule-violation.ts';
import { strictTemplateRules } from '../rules/strict-template.ts';
import { mistralRules } from '../rules/mistral.ts';
import { pieces, sseReply } from './sse-reply.ts';
import { plainAnswer, summaryAnswer } from './summary-answer.ts';
import { type WireApi, type WireReply, type WireRequest, jsonReply } from './wire-api.ts';

/** OpenAI's `/chat/completions`. */
export const openaiChatApi: WireApi = {
  rules: ({ body }) => openaiChatRules(body),
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
  rules: ({ body }) => openaiChatRules(body, ['reasoning_content', 'prefix']),
};

/** Groq's `/chat/completions`, which refuses what it does not know: rules GR1 and GR2. */
export const groqApi: WireApi = {
  ...openaiChatApi,
  isStrict: true,
  rules: ({ body }) => openaiChatRules(body, ['reasoning']),
};

/** A self-hosted server that renders a strict chat template. */
export const strictTemplateApi: WireApi = {
  rules: ({ body }) => strictTemplateRules(body),
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

/** Mistral's error types, by rule; any other rule is a plain request error. */
const mistralErrors: Readonly<Record<string, readonly [type: string, code: string | null]>> = {
  MI1: ['invalid_request_message_order', '3230'],
  MI2: ['invalid_request_message_order', '3230'],
  MI4: ['invalid_function_call', '3280'],
  MI5: ['invalid_request_message_order', '3230'],
};

function refuseMistral({ rule, message }: RuleViolation): WireReply {
  const [type, code] = mistralErrors[rule] ?? ['invalid_request_error', null];
  return jsonReply(400, { object: 'error', message, type, param: null, code });
}

function answerChat({ body }: WireRequest): WireReply {
  const content = answerText(body);
  const envelope = { id: 'chatcmpl-1', created: 1_760_000_000, model: text(body.model) };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  if (body.stream !== true) {
    const message = { role: 'assistant', content };
    return jsonReply(200, {
      ...envelope,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    });
  }
  const chunk = (delta: JsonRecord, finishReason: string | null): JsonRecord => ({
    ...envelope,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  return sseReply(
    [
      chunk({ role: 'assistant', content: '' }, null),
      ...pieces(content).map((piece) => chunk({ content: piece }, null)),
      { ...chunk({}, 'stop'), usage },
    ],
    '[DONE]',
  );
}

function answerText(body: JsonRecord): string {
  const format = text(record(body.response_format).type);
  return format.startsWith('json') ? summaryAnswer : plainAnswer;
}
