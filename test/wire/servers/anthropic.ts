import { type JsonRecord, record, text } from '../json-view.ts';
import { anthropicRules } from '../rules/anthropic.ts';
import { namedSseReply, pieces } from './sse-reply.ts';
import { plainAnswer, summaryAnswer } from './summary-answer.ts';
import { type WireApi, type WireReply, type WireRequest, jsonReply } from './wire-api.ts';

/** Anthropic's `/messages`. */
export const anthropicApi: WireApi = {
  rules: ({ body }) => anthropicRules(body),
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

function answer({ body }: WireRequest): WireReply {
  const isToolMode = record(body.tool_choice).name === 'json';
  const isObject = isToolMode || isRequested(record(body.output_config).format);
  const content = isObject ? summaryAnswer : plainAnswer;
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: text(body.model),
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 10 },
  };
  const stopReason = isToolMode ? 'tool_use' : 'end_turn';
  if (body.stream === true) return streamed(message, isToolMode, content, stopReason);
  const block = isToolMode
    ? { type: 'tool_use', id: 'toolu_answer', name: 'json', input: record(JSON.parse(content)) }
    : { type: 'text', text: content };
  return jsonReply(200, { ...message, content: [block], stop_reason: stopReason });
}

const isRequested = (format: unknown): boolean => record(format).type === 'json_schema';

function streamed(
  message: JsonRecord,
  isToolMode: boolean,
  content: string,
  stopReason: string,
): WireReply {
  const block = isToolMode
    ? { type: 'tool_use', id: 'toolu_answer', name: 'json', input: {} }
    : { type: 'text', text: '' };
  const delta = (piece: string): JsonRecord =>
    isToolMode
      ? { type: 'input_json_delta', partial_json: piece }
      : { type: 'text_delta', text: piece };
  return namedSseReply([
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'ping' },
    ...pieces(content).map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: delta(piece),
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: 10 },
    },
    { type: 'message_stop' },
  ]);
}
