import { eventFrame } from '../wire/apis/bedrock.ts';
import {
  jsonReply,
  namedSseReply,
  sseReply,
  type WireApi,
  type WireReply,
} from '../wire/apis/wire-api.ts';
import { isRecord, record } from '../wire/json-view.ts';
import type { OverflowError, StatedSizes } from '../overflow/overflow-errors.ts';

/** How a server says that a prompt is too long: as a response, or within a stream that began well. */
export type Refusal = 'response' | 'event';

/**
 * A provider's API whose model accepts a prompt only up to a share of the first one it is sent: of the
 * tokens the error states, the limit it states. Longer prompts get the error.
 */
export function overflowingApi(api: WireApi, error: OverflowError, refusal: Refusal): WireApi {
  const accepted = acceptedShare(statedAs(error, refusal));
  let first: number | undefined;
  return {
    ...api,
    answer: (request) => {
      const size = JSON.stringify(request.body).length;
      first ??= size;
      return size <= first * accepted ? api.answer(request) : refuse(error, refusal);
    },
  };
}

/** What of an error's numbers comes through: of events, the SDK drops the fields of llama.cpp. */
export function statedAs({ id, stated }: OverflowError, refusal: Refusal): StatedSizes {
  return id === 'llamacpp-overflow' && refusal === 'event' ? {} : stated;
}

function acceptedShare({ limit, tokens, answerTokens = 0 }: StatedSizes): number {
  // An error without numbers: the model takes a little less than what was sent.
  return limit === undefined || tokens === undefined ? 0.85 : (limit - answerTokens) / tokens;
}

function refuse({ client, status, body }: OverflowError, refusal: Refusal): WireReply {
  if (refusal === 'response') return jsonReply(status, body);
  if (client === 'amazon-bedrock') return bedrockException(body);
  if (client === 'anthropic') return namedSseReply([record(body)]);
  const type = record(body).type;
  if (client === 'openai' && type === 'error') {
    const response = { id: 'resp_0', created_at: 1_760_000_000, model: 'gpt-5-mini' };
    return namedSseReply([
      { type: 'response.created', sequence_number: 0, response },
      { type: 'response.in_progress', sequence_number: 1, response },
      record(body),
    ]);
  }
  return sseReply([isRecord(body) ? body : record(Reflect.get(body, 0))]);
}

function bedrockException(body: object): WireReply {
  const exception = Object.entries(body).find(([key]) => key.endsWith('Exception'));
  const [type, payload] = exception ?? ['validationException', body];
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    chunks: [eventFrame(type, payload, 'exception')],
  };
}
