import { type JsonRecord, record, records, text } from '../json-view.ts';
import { checker, faultsOf, isJsonObjectText, proofOf, type Turn } from './rule.ts';
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

/** The items of a body, and what its turns break: what the model produced in a row is one turn. */
function viewOf(body: JsonRecord) {
  const items = records(body.input);
  return { body, items, ...faultsOf(items.map(turnOf), ['assistant', 'tool']) };
}

function turnOf(item: JsonRecord): Turn {
  const { type, role, content } = item;
  const id = text(item.call_id);
  if (type === 'function_call_output') return { role: 'tool', texts: [], calls: [], results: [id] };
  const isSystem = role === 'system' || role === 'developer' || type === 'configuration_update';
  const parts = records(content).filter((part) => /^(?:in|out)put_text$/.test(text(part.type)));
  return {
    role: isModelItem(item) ? 'assistant' : isSystem ? 'system' : 'user',
    texts: typeof content === 'string' ? [content] : parts.map((part) => text(part.text)),
    calls: type === 'function_call' ? [id] : [],
    results: [],
  };
}

/** Whether an item is something the model produced. */
function isModelItem(item: JsonRecord | undefined): boolean {
  return (
    item?.role === 'assistant' ||
    ['item_reference', 'function_call', 'reasoning', 'web_search_call', 'compaction'].includes(
      text(item?.type),
    )
  );
}

const isReasoning = ({ type, id }: JsonRecord): boolean =>
  type === 'reasoning' || (type === 'item_reference' && text(id).startsWith('rs_'));
/** The part of a stored id that an item shares with the reasoning it came from: `7` of `call_7b`. */
const familyOf = (id: unknown): string => /_(\d+)[a-z]?$/.exec(text(id))?.[1] ?? '';

/** OR3: whether an item is what reasoning led to. */
function follows(next: JsonRecord | undefined, reasoning: JsonRecord): boolean {
  if (next === undefined || !isModelItem(next) || isReasoning(next)) return false;
  const id = text(next.id) || text(next.call_id);
  return id === '' || familyOf(id) === familyOf(reasoning.id);
}

/** Rules C* and OR* of OpenAI's Responses API. */
const rules = checker(viewOf, {
  E: {
    "C1: One of 'input' or 'previous_response_id' must be provided.": ({ isEmpty }) => isEmpty,
    'C5: Duplicate item found with call_id': ({ isDuplicate }) => isDuplicate,
    "C6: Invalid 'input.content': empty text.": ({ isBlank }) => isBlank,
    "C10: Invalid 'arguments': expected the JSON text of an object.": ({ items }) =>
      items.some((item) => item.type === 'function_call' && !isJsonObjectText(item.arguments)),
    'OR1: No tool call found for function call output with call_id': ({ isOrphan }) => isOrphan,
    'OR2: No tool output found for function call': ({ isUnanswered }) => isUnanswered,
    "OR3: Item of type 'reasoning' was provided without its required following item.": ({
      items,
    }) => items.some((item, index) => isReasoning(item) && !follows(items[index + 1], item)),
    "OR4: Item of type 'message' was provided without its required 'reasoning' item": ({ items }) =>
      items.some(
        ({ type, id }, index) =>
          type === 'item_reference' &&
          text(id).startsWith('msg_') &&
          !items.slice(0, index).some((earlier) => earlier.id === `rs_${familyOf(id)}`),
      ),
    'OR5: Item not found. Items are not persisted when `store` is set to false.': ({
      body,
      items,
    }) => body.store === false && items.some(({ type }) => type === 'item_reference'),
    'OR5: The encrypted content for an item could not be verified.': ({ items }) =>
      items.some((item) => {
        const summary = records(item.summary).map((part) => text(part.text));
        return item.type === 'reasoning' && item.encrypted_content !== proofOf(summary.join('\n'));
      }),
    'OR6: Duplicate item found. Remove duplicate items from your input and try again.': ({
      items,
    }) => {
      const ids = items.map(({ id }) => text(id)).filter((id) => id !== '');
      return new Set(ids).size < ids.length;
    },
    'OR7: A summary was sent although the server holds the history, or compacts it.': ({ body }) =>
      ['previous_response_id', 'conversation', 'context_management'].some(
        (key) => body[key] !== undefined && body[key] !== null,
      ) && JSON.stringify(body.input).includes('[summary-depth:'),
    'OR8: configuration updates cannot be consecutive.': ({ items }) =>
      items.some(
        ({ type }, index) => type === 'configuration_update' && items[index - 1]?.type === type,
      ),
  },
  W: {
    'C2: The input does not begin with a user message.': ({ opensWithUser }) => !opensWithUser,
  },
});

/** OpenAI's `/responses`. */
export const openaiResponsesApi: WireApi = {
  rules: ({ body }) => rules(body),
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(400, {
      error: { message, type: 'invalid_request_error', param: 'input', code: null },
    }),
  answer,
};

function answer({ body }: WireRequest, given?: Partial<Said>): WireReply {
  const isObject = text(record(record(body.text).format).type).startsWith('json');
  const { text: content, input, cached, output } = saying(isObject, given);
  const part = { type: 'output_text', text: content, annotations: [] };
  const message = {
    id: 'msg_9001',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [part],
  };
  const response = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    model: text(body.model),
    status: 'completed',
    output: [message],
    incomplete_details: null,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
  if (body.stream !== true) return jsonReply(200, { ...response, error: null });
  const started = { ...response, status: 'in_progress', output: [], usage: null };
  const place = { item_id: 'msg_9001', output_index: 0, content_index: 0 };
  const item = { ...message, status: 'in_progress', content: [] };
  const events: JsonRecord[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...pieces(content).map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
    { type: 'response.output_text.done', ...place, text: content },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.completed', response },
  ];
  return namedSseReply(events.map((event, index) => ({ ...event, sequence_number: index })));
}
