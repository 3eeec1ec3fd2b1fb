import { type JsonRecord, record, text } from '../json-view.ts';
import { openaiResponsesRules } from '../rules/openai-responses.ts';
import { namedSseReply, pieces } from './sse-reply.ts';
import { plainAnswer, summaryAnswer } from './summary-answer.ts';
import { type WireApi, type WireReply, type WireRequest, jsonReply } from './wire-api.ts';

/** OpenAI's `/responses`. */
export const openaiResponsesApi: WireApi = {
  rules: ({ body }) => openaiResponsesRules(body),
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(400, {
      error: { message, type: 'invalid_request_error', param: 'input', code: null },
    }),
  answer,
};

function answer({ body }: WireRequest): WireReply {
  const format = record(record(body.text).format);
  return responseOf(body, text(format.type).startsWith('json') ? summaryAnswer : plainAnswer);
}

/** The response to a request that says a text, streamed if the request asks for that. */
function responseOf(
  body: JsonRecord,
  content: string,
  usage: JsonRecord = { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
): WireReply {
  const message = {
    id: 'msg_9001',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: content, annotations: [] }],
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    model: text(body.model),
    status: 'completed',
    output: [message],
    incomplete_details: null,
    usage,
  };
  return body.stream === true
    ? streamed(response, message, content)
    : jsonReply(200, { ...response, error: null });
}

function streamed(response: JsonRecord, message: JsonRecord, content: string): WireReply {
  const started = { ...response, status: 'in_progress', output: [], usage: null };
  const place = { item_id: 'msg_9001', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [] };
  const events: JsonRecord[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...message, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part },
    ...pieces(content).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text: content },
    { type: 'response.content_part.done', ...place, part: { ...part, text: content } },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.completed', response },
  ];
  return namedSseReply(events.map((event, index) => ({ ...event, sequence_number: index })));
}
