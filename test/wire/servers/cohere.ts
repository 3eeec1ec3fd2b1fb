import { type JsonRecord, record, text } from '../json-view.ts';
import { openaiChatRules } from '../rules/openai-chat.ts';
import { namedSseReply, pieces } from './sse-reply.ts';
import { plainAnswer, summaryAnswer } from './summary-answer.ts';
import { type WireApi, type WireReply, type WireRequest, jsonReply } from './wire-api.ts';

/** Cohere's `/v2/chat`, whose messages are those of chat completions: rules CO1 and CO2. */
export const cohereApi: WireApi = {
  rules: ({ body }) => openaiChatRules(body, ['tool_plan']),
  isStrict: true,
  refuse: ({ message }) => jsonReply(400, { message }),
  answer,
};

function answer({ body }: WireRequest): WireReply {
  const format = text(record(body.response_format).type);
  const content = format.startsWith('json') ? summaryAnswer : plainAnswer;
  const usage = { tokens: { input_tokens: 100, output_tokens: 10 } };
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
