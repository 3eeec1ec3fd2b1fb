import { crc32 } from 'node:zlib';
import { isRecord, type JsonRecord, record, records, text } from '../json-view.ts';
import { checker, faultsOf, proofOf, type Turn } from './rule.ts';
import {
  jsonReply,
  pieces,
  type Said,
  saying,
  type WireApi,
  type WireReply,
  type WireRequest,
} from './wire-api.ts';

const inside = (blocks: readonly JsonRecord[], key: string): JsonRecord[] =>
  blocks.filter((block) => isRecord(block[key])).map((block) => record(block[key]));
const textsOf = (blocks: readonly JsonRecord[]): string[] =>
  blocks.flatMap((block) => (typeof block.text === 'string' ? [block.text] : []));

/** A body, its content blocks, and what its turns break. */
function viewOf(body: JsonRecord) {
  const messages = records(body.messages);
  const contents = messages.map(({ content }) => records(content));
  const blocks = contents.flat();
  const system: Turn = {
    role: 'system',
    texts: textsOf(records(body.system)),
    calls: [],
    results: [],
  };
  const turns = messages.map(({ role }, index): Turn => {
    const content = contents[index] ?? [];
    return {
      role: role === 'assistant' ? 'assistant' : 'user',
      texts: textsOf(content),
      calls: inside(content, 'toolUse').map(({ toolUseId }) => text(toolUseId)),
      results: inside(content, 'toolResult').map(({ toolUseId }) => text(toolUseId)),
    };
  });
  return {
    body,
    messages,
    contents,
    uses: inside(blocks, 'toolUse'),
    results: inside(blocks, 'toolResult'),
    reasoning: inside(blocks, 'reasoningContent').map((each) => record(each.reasoningText)),
    points: inside([...records(body.system), ...blocks], 'cachePoint'),
    ...faultsOf([system, ...turns]),
  };
}

const alternation = 'A conversation must alternate between user and assistant roles.';
const opening = 'A conversation must start with a user message.';

/** Rules C* and BE* of Amazon Bedrock's Converse. */
const rules = checker(viewOf, {
  E: {
    [`C1: ${opening} Try again with a conversation that starts with a user message.`]: ({
      isEmpty,
    }) => isEmpty,
    [`BE1: ${opening} Try again with a conversation that starts with a user message.`]: ({
      messages: [first],
    }) => first !== undefined && first.role !== 'user',
    [`C2: ${alternation} Make sure the conversation alternates and try again.`]: ({ messages }) =>
      messages.some(({ role }, index) => role === messages[index - 1]?.role),
    'BE2: The toolConfig field must be defined when using toolUse and toolResult content blocks.':
      ({ body, uses, results }) =>
        records(record(body.toolConfig).tools).length === 0 && uses.length + results.length > 0,
    'BE3: The number of toolResult blocks exceeds the number of toolUse blocks of previous turn.':
      ({ isOrphan }) => isOrphan,
    'BE3: Expected toolResult blocks for the toolUse blocks of the previous turn': ({
      isUnanswered,
    }) => isUnanswered,
    'BE4: The text field in the ContentBlock object is blank. Add text to the text field, and try again.':
      ({ isBlank }) => isBlank,
    'BE6: The model returned the following errors: Invalid `signature` in `thinking` block': ({
      reasoning,
    }) =>
      reasoning.some(
        (each) => typeof each.text === 'string' && each.signature !== proofOf(each.text),
      ),
    'BE7: The number of cachePoint blocks is above the maximum of 4.': ({ points }) =>
      points.length > 4,
    'BE7: A cachePoint cannot be the first block of a message.': ({ contents }) =>
      contents.some(([first]) => isRecord(first?.cachePoint)),
    'BE9: The content field at toolResult cannot be empty when status value is error.': ({
      results,
    }) =>
      results.some(({ status, content }) => status === 'error' && records(content).length === 0),
    'C5: messages.content contains duplicate Ids': ({ isDuplicate }) => isDuplicate,
    'C10: The format of the value at toolUse.input is invalid. Provide a json object for the field and try again.':
      ({ uses }) => uses.some(({ input }) => !isRecord(input)),
  },
  S: {
    'BE8: Conversation blocks and tool result blocks cannot be provided in the same turn.': ({
      contents,
    }) =>
      contents.some(
        (content) => inside(content, 'toolResult').length > 0 && textsOf(content).length > 0,
      ),
  },
});

/** Amazon Bedrock's `/converse` and `/converse-stream` for a Claude model. */
export const bedrockApi: WireApi = {
  rules: ({ body }) => rules(body),
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(400, { message }, { 'x-amzn-errortype': 'ValidationException' }),
  answer,
};

/** The same for a model that takes no text beside tool results. */
export const strictBedrockApi: WireApi = { ...bedrockApi, isStrict: true };

function answer({ path, body }: WireRequest, given?: Partial<Said>): WireReply {
  const tools = records(record(body.toolConfig).tools).map((tool) => record(tool.toolSpec).name);
  const format = record(record(record(body.additionalModelRequestFields).output_config).format);
  const isToolMode = tools.includes('json');
  const said = saying(isToolMode || format.type === 'json_schema', given);
  const usage = {
    inputTokens: said.input,
    outputTokens: said.output,
    totalTokens: said.input + said.output,
  };
  const stopReason = isToolMode ? 'tool_use' : 'end_turn';
  const toolUse = { toolUseId: 'tooluse_answer', name: 'json' };
  const metrics = { latencyMs: 1 };
  if (!path.endsWith('/converse-stream')) {
    const block = isToolMode
      ? { toolUse: { ...toolUse, input: record(JSON.parse(said.text)) } }
      : { text: said.text };
    const output = { message: { role: 'assistant', content: [block] } };
    return jsonReply(200, { output, stopReason, usage, metrics });
  }
  const place = { contentBlockIndex: 0 };
  const delta = (piece: string): JsonRecord =>
    isToolMode ? { toolUse: { input: piece } } : { text: piece };
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    chunks: [
      eventFrame('messageStart', { role: 'assistant' }),
      ...(isToolMode ? [eventFrame('contentBlockStart', { ...place, start: { toolUse } })] : []),
      ...pieces(said.text).map((piece) =>
        eventFrame('contentBlockDelta', { ...place, delta: delta(piece) }),
      ),
      eventFrame('contentBlockStop', place),
      eventFrame('messageStop', { stopReason }),
      eventFrame('metadata', { usage, metrics }),
    ],
  };
}

/**
 * One frame of Amazon's binary event stream: total and header length with their checksum, the headers,
 * the payload, and the checksum of it all. An `'exception'` is how a stream fails.
 */
export function eventFrame(
  eventType: string,
  payload: unknown,
  messageType: 'event' | 'exception' = 'event',
): Uint8Array {
  const headers = Buffer.concat([
    stringHeader(`:${messageType}-type`, eventType),
    stringHeader(':content-type', 'application/json'),
    stringHeader(':message-type', messageType),
  ]);
  const body = Buffer.from(JSON.stringify(payload), 'utf8');
  const prelude = Buffer.alloc(8);
  prelude.writeUInt32BE(headers.length + body.length + 16, 0);
  prelude.writeUInt32BE(headers.length, 4);
  const message = Buffer.concat([prelude, checksum(prelude), headers, body]);
  return Buffer.concat([message, checksum(message)]);
}

/** A header whose value is a string: name length, name, type 7, value length, value. */
function stringHeader(name: string, value: string): Buffer {
  const [nameBytes, valueBytes] = [Buffer.from(name, 'utf8'), Buffer.from(value, 'utf8')];
  const type = Buffer.alloc(3);
  type.writeUInt8(7, 0);
  type.writeUInt16BE(valueBytes.length, 1);
  return Buffer.concat([Buffer.from([nameBytes.length]), nameBytes, type, valueBytes]);
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes), 0);
  return sum;
}
