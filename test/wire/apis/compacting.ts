import { type JsonRecord, list, record, text } from '../json-view.ts';
import type { WireApi, WireReply, WireRequest } from './wire-api.ts';
import { jsonReply } from './wire-api.ts';

/** What a provider that compacts asks for and leaves, in the words of its API. */
interface Dialect {
  readonly item: JsonRecord;
  /** Where the items of an answer are, and the field of events that numbers them. */
  readonly items: 'output' | 'content';
  readonly number: 'output_index' | 'index';
  readonly events: readonly JsonRecord[];
  readonly messages: 'input' | 'messages';
}

const openaiItem = { type: 'compaction', id: 'cmp_1', encrypted_content: 'opaque-compaction' };
const anthropicItem = { type: 'compaction', content: 'Earlier the parser was inspected.' };

const dialects: Readonly<Record<string, Dialect>> = {
  openai: {
    item: openaiItem,
    items: 'output',
    number: 'output_index',
    messages: 'input',
    events: ['added', 'done'].map((state) => ({
      type: `response.output_item.${state}`,
      output_index: 0,
      item: openaiItem,
    })),
  },
  anthropic: {
    item: anthropicItem,
    items: 'content',
    number: 'index',
    messages: 'messages',
    events: [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'compaction', content: null },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'compaction_delta', content: anthropicItem.content },
      },
      { type: 'content_block_stop', index: 0 },
    ],
  },
};

/**
 * A provider's API that compacts a prompt from the threshold on that it is given: its answer begins with the
 * item that stands for all before it.
 *
 * @param charactersPerToken - How it counts.
 */
export function compactingApi(
  api: WireApi,
  packageName: string,
  charactersPerToken: number,
): WireApi {
  const dialect = dialects[packageName];
  if (dialect === undefined) throw new Error(`${packageName} does not compact.`);
  return {
    ...api,
    answer: (request) => {
      const reply = api.answer(request);
      const threshold = thresholdOf(request.body);
      if (threshold === undefined) return reply;
      const tokens = charactersRead(request, dialect) / charactersPerToken;
      return tokens < threshold ? reply : withItem(reply, request, dialect);
    },
  };
}

/** The threshold of a request, as either API writes it. */
export function thresholdOf({ context_management: given }: JsonRecord): number | undefined {
  const [openai] = Array.isArray(given) ? list(given) : [];
  const [anthropic] = list(record(given).edits);
  const threshold = record(openai).compact_threshold ?? record(record(anthropic).trigger).value;
  return typeof threshold === 'number' ? threshold : undefined;
}

/** What stands before the last compaction is not read. */
function charactersRead({ body }: WireRequest, { messages }: Dialect): number {
  const given = list(body[messages]).map((message) => JSON.stringify(message));
  const last = given.findLastIndex(
    (message) => message.includes('"type":"compaction"') || message.includes('"cmp_1"'),
  );
  return given.slice(Math.max(0, last)).join('').length;
}

function withItem(reply: WireReply, { body }: WireRequest, dialect: Dialect): WireReply {
  const { item, items, number, events } = dialect;
  if (body.stream !== true) {
    const answer = record(JSON.parse(String(reply.chunks[0])));
    return jsonReply(200, { ...answer, [items]: [item, ...list(answer[items])] });
  }
  const begins = reply.chunks.findIndex((chunk) => String(chunk).includes(`"${number}":0`));
  const moved = reply.chunks.map((chunk) =>
    String(chunk).replaceAll(`"${number}":0`, `"${number}":1`),
  );
  const added = events.map(
    (event) => `event: ${text(event.type)}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  return { ...reply, chunks: [...moved.slice(0, begins), ...added, ...moved.slice(begins)] };
}
