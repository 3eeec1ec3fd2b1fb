import { type JsonRecord, record } from '../json-view.ts';
import { pieces, sseReply } from './sse-reply.ts';
import { plainAnswer, summaryAnswer } from './summary-answer.ts';
import { type WireApi, type WireReply, type WireRequest, jsonReply } from './wire-api.ts';

/** The AI gateway's `/language-model`, which takes calls as the SDK makes them. */
export const gatewayApi: WireApi = {
  rules: () => [],
  isStrict: false,
  refuse: ({ message }) => jsonReply(400, { error: { message, type: 'invalid_request_error' } }),
  answer,
};

const usage = {
  inputTokens: { total: 100, noCache: 100 },
  outputTokens: { total: 10, text: 10 },
};

function answer({ body, headers }: WireRequest): WireReply {
  const isObject = record(body.responseFormat).type === 'json';
  const text = isObject ? summaryAnswer : plainAnswer;
  const finish = { finishReason: { unified: 'stop', raw: 'stop' }, usage };
  const isStreamed = headers['ai-language-model-streaming'] === 'true';
  if (!isStreamed) return jsonReply(200, { content: [{ type: 'text', text }], ...finish });
  const id = '1';
  const parts: JsonRecord[] = [
    { type: 'text-start', id },
    ...pieces(text).map((delta) => ({ type: 'text-delta', id, delta })),
    { type: 'text-end', id },
    { type: 'finish', ...finish },
  ];
  return sseReply(parts);
}
