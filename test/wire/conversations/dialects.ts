import type { JSONObject, JSONValue, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { AssistantContent } from 'ai';
import { proofOf } from '../apis/rule.ts';

/** A content part of an assistant message. */
export type AssistantPart = Exclude<AssistantContent, string>[number];

/** How one provider names and signs what its model produced in step `step` of a conversation. */
export interface Dialect {
  /** Id of the call at `index` of a parallel batch. */
  readonly callId: (step: number, index: number) => string;
  /** Metadata of a tool call. */
  readonly callOptions?: (call: {
    readonly step: number;
    readonly index: number;
    readonly name: string;
    readonly input: JSONObject;
  }) => SharedV4ProviderOptions | undefined;
  /** Metadata of a reasoning part, its signature included. */
  readonly reasoningOptions?: (step: number, text: string) => SharedV4ProviderOptions;
  /** A reasoning part whose text the provider keeps to itself. */
  readonly hiddenReasoning?: SharedV4ProviderOptions;
  /** Metadata of a text part. */
  readonly textOptions?: (step: number) => SharedV4ProviderOptions;
  /** Options that switch reasoning on for a call. */
  readonly reasoningCall?: SharedV4ProviderOptions;
  /** A tool the provider ran itself: its call and its result. */
  readonly serverTool?: (step: number) => AssistantPart[];
  /** Marks a message as the end of a cached prefix. */
  readonly cacheMark?: SharedV4ProviderOptions;
  /** A summary the provider made of the messages before it. */
  readonly compaction?: { readonly part: AssistantPart; readonly mark: string };
  /** Options under which the provider holds or compacts the history itself. */
  readonly serverState?: SharedV4ProviderOptions;
}

const letters = 'abcdefgh';
const query = 'tokenizer trailing token';
const earlier = 'Earlier the parser was inspected.';
const searchResult = {
  type: 'web_search_result',
  url: 'https://example.org/tokenizer',
  title: 'Tokenizers',
  pageAge: null,
  encryptedContent: 'opaque-result',
};

/** A tool that a provider runs: its call, and its result in the same message. */
function executed(
  toolCallId: string,
  toolName: string,
  input: JSONObject,
  value: JSONValue,
): AssistantPart[] {
  return [
    { type: 'tool-call', toolCallId, toolName, input, providerExecuted: true },
    { type: 'tool-result', toolCallId, toolName, output: { type: 'json', value } },
  ];
}

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
  serverTool: (step) =>
    executed(`ws_${step}`, 'web_search', {}, { action: { type: 'search', query } }),
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
  serverTool: (step) => executed(`srvtoolu_${step}`, 'web_search', { query }, [searchResult]),
  cacheMark: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  compaction: {
    part: {
      type: 'text',
      text: earlier,
      providerOptions: { anthropic: { type: 'compaction', signature: proofOf(earlier) } },
    },
    mark: proofOf(earlier),
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
  serverTool: () =>
    executed(
      'code-1',
      'code_execution',
      { language: 'PYTHON', code: 'print(len("a b".split()))' },
      { outcome: 'OUTCOME_OK', output: '2' },
    ),
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
