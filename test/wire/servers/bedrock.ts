import { type JsonRecord, record, records } from '../json-view.ts';
import { bedrockRules } from '../rules/bedrock.ts';
import { eventFrame } from './event-stream.ts';
import { pieces } from './sse-reply.ts';
import { plainAnswer, summaryAnswer } from './summary-answer.ts';
import { type WireApi, type WireReply, type WireRequest, jsonReply } from './wire-api.ts';

/** Amazon Bedrock's `/converse` and `/converse-stream` for a Claude model. */
export const bedrockApi: WireApi = {
  rules: ({ body }) => bedrockRules(body),
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(400, { message }, { 'x-amzn-errortype': 'ValidationException' }),
  answer,
};

/** The same for a model that takes no text beside tool results. */
export const strictBedrockApi: WireApi = { ...bedrockApi, isStrict: true };

const usage = { inputTokens: 100, outputTokens: 10, totalTokens: 110 };

function answer({ path, body }: WireRequest): WireReply {
  const tools = records(record(body.toolConfig).tools).map((tool) => record(tool.toolSpec).name);
  const format = record(record(record(body.additionalModelRequestFields).output_config).format);
  const isToolMode = tools.includes('json');
  const content = isToolMode || format.type === 'json_schema' ? summaryAnswer : plainAnswer;
  const stopReason = isToolMode ? 'tool_use' : 'end_turn';
  if (path.endsWith('/converse-stream')) return streamed(isToolMode, content, stopReason);
  const block = isToolMode
    ? { toolUse: { toolUseId: 'tooluse_answer', name: 'json', input: record(JSON.parse(content)) } }
    : { text: content };
  return jsonReply(200, {
    output: { message: { role: 'assistant', content: [block] } },
    stopReason,
    usage,
    metrics: { latencyMs: 1 },
  });
}

function streamed(isToolMode: boolean, content: string, stopReason: string): WireReply {
  const place = { contentBlockIndex: 0 };
  const delta = (piece: string): JsonRecord =>
    isToolMode ? { toolUse: { input: piece } } : { text: piece };
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    chunks: [
      eventFrame('messageStart', { role: 'assistant' }),
      ...(isToolMode
        ? [
            eventFrame('contentBlockStart', {
              ...place,
              start: { toolUse: { toolUseId: 'tooluse_answer', name: 'json' } },
            }),
          ]
        : []),
      ...pieces(content).map((piece) =>
        eventFrame('contentBlockDelta', { ...place, delta: delta(piece) }),
      ),
      eventFrame('contentBlockStop', place),
      eventFrame('messageStop', { stopReason }),
      eventFrame('metadata', { usage, metrics: { latencyMs: 1 } }),
    ],
  };
}
