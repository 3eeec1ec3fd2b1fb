import { proofOf } from '../proof.ts';
import type { Dialect } from './dialect.ts';

const letters = 'abcdefgh';

/** Chat completions: nothing but ids. */
export const chatDialect: Dialect = {
  callId: (step, index) => `call_${step}${letters[index] ?? ''}`,
};

/** OpenAI Responses: stored items by id, encrypted reasoning beside them. */
export const responsesDialect: Dialect = {
  callId: chatDialect.callId,
  callOptions: ({ step, index }) => ({
    openai: { itemId: `fc_${step}${letters[index] ?? ''}` },
  }),
  reasoningOptions: (step, text) => ({
    openai: { itemId: `rs_${step}`, reasoningEncryptedContent: proofOf(text) },
  }),
  textOptions: (step) => ({ openai: { itemId: `msg_${step}` } }),
  serverTool: (step) => [
    {
      type: 'tool-call',
      toolCallId: `ws_${step}`,
      toolName: 'web_search',
      input: {},
      providerExecuted: true,
    },
    {
      type: 'tool-result',
      toolCallId: `ws_${step}`,
      toolName: 'web_search',
      output: {
        type: 'json',
        value: { action: { type: 'search', query: 'tokenizer trailing token' } },
      },
    },
  ],
  cacheMark: { openai: { promptCacheBreakpoint: { mode: 'explicit' } } },
  compaction: {
    part: {
      type: 'custom',
      kind: 'openai.compaction',
      providerOptions: { openai: { itemId: 'cmp_1', encryptedContent: 'opaque-compaction' } },
    },
    mark: 'cmp_1',
  },
  serverState: { openai: { previousResponseId: 'resp_0' } },
};

/** Anthropic: signed thinking, server tools inside the assistant message. */
export const anthropicDialect: Dialect = {
  callId: (step, index) => `toolu_${step}_${index}`,
  reasoningOptions: (_step, text) => ({ anthropic: { signature: proofOf(text) } }),
  hiddenReasoning: { anthropic: { redactedData: 'redacted-thinking' } },
  reasoningCall: { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
  serverTool: (step) => [
    {
      type: 'tool-call',
      toolCallId: `srvtoolu_${step}`,
      toolName: 'web_search',
      input: { query: 'tokenizer trailing token' },
      providerExecuted: true,
    },
    {
      type: 'tool-result',
      toolCallId: `srvtoolu_${step}`,
      toolName: 'web_search',
      output: {
        type: 'json',
        value: [
          {
            type: 'web_search_result',
            url: 'https://example.org/tokenizer',
            title: 'Tokenizers',
            pageAge: null,
            encryptedContent: 'opaque-result',
          },
        ],
      },
    },
  ],
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  compaction: {
    part: {
      type: 'text',
      text: 'Earlier the parser was inspected.',
      providerOptions: {
        anthropic: { type: 'compaction', signature: proofOf('Earlier the parser was inspected.') },
      },
    },
    mark: proofOf('Earlier the parser was inspected.'),
  },
  serverState: { anthropic: { contextManagement: { edits: [{ type: 'compact_20260112' }] } } },
};

/** Gemini: thought signatures on the first call of a batch. */
export const googleDialect: Dialect = {
  callId: chatDialect.callId,
  callOptions: ({ index, name, input }) =>
    index === 0
      ? { google: { thoughtSignature: proofOf(name + JSON.stringify(input)) } }
      : undefined,
  reasoningOptions: () => ({ google: {} }),
  serverTool: () => [
    {
      type: 'tool-call',
      toolCallId: 'code-1',
      toolName: 'code_execution',
      input: { language: 'PYTHON', code: 'print(len("a b".split()))' },
      providerExecuted: true,
    },
    {
      type: 'tool-result',
      toolCallId: 'code-1',
      toolName: 'code_execution',
      output: { type: 'json', value: { outcome: 'OUTCOME_OK', output: '2' } },
    },
  ],
};

/** Gemma through the same API: no signatures. */
export const gemmaDialect: Dialect = { callId: chatDialect.callId };

/** Bedrock Converse with Claude: signed reasoning, cache points. */
export const bedrockDialect: Dialect = {
  callId: (step, index) => `tooluse_${step}_${index}`,
  reasoningOptions: (_step, text) => ({ amazonBedrock: { signature: proofOf(text) } }),
  hiddenReasoning: { amazonBedrock: { redactedData: 'redacted-thinking' } },
  cacheMark: { amazonBedrock: { cachePoint: { type: 'default' } } },
};

/** Mistral: ids of nine letters and digits. */
export const mistralDialect: Dialect = {
  callId: (step, index) => `c${String(step * 10 + index).padStart(8, '0')}`,
};
