import type { ModelIdentity } from './prompt-types.ts';

/** Whose options on messages a model reads as changes of the conversation's state. */
export type StateDialect = 'openai' | 'azure' | 'anthropic';

/** APIs of the shape of OpenAI's Responses that know none of its positioned controls. */
const responsesWithoutControls = /^(xai|huggingface)\./;

/**
 * Finds which options on messages a model takes as a change of state from there on; `undefined` where a
 * message only ever says something. What the SDK's packages read, and what becomes of it when the message
 * is covered by a summary:
 *
 * | where | option | once covered |
 * |---|---|---|
 * | OpenAI Responses, Azure: empty system message | `reasoningEffortUpdate`, `textFormatUpdate` | merged into one update, the last of each wins |
 * | OpenAI Responses, Azure: empty system message, tool result | `additionalTools` | sent again, the last definition of a name wins; namespaces keep all their tools |
 * | Anthropic: system message | `toolChanges` | what is left of them is sent again behind a user message |
 * | Anthropic: system message | `effort` | sent again; in force from the next user message, as it was |
 * | Anthropic: system message | `clearAt` | kept while its turn lasts, left out after it |
 * | OpenAI, Anthropic: results of a tool search | loaded tools | not sent again: the search is still there, and what could load them needs models that may not take it |
 * | OpenAI `custom` part `openai.compaction`, Anthropic text of type `compaction` | the history itself | the middleware stands aside; with `native: 'never'` covered with all that came before |
 * | Anthropic, Bedrock | `cacheControl`, `cachePoint` | the last one moves to the summary; not state |
 * | OpenAI | `promptCacheBreakpoint` | goes with its message; a hint, not state |
 * | OpenAI: assistant parts | `itemId`, `namespace`, `caller`, `phase`, `async`, encrypted reasoning | belong to their item, whole groups are covered |
 * | Anthropic: parts | `caller`, MCP server names, signatures, citations, `containerUpload` | belong to their part; containers are named in the call |
 * | Google: parts | `thoughtSignature`, server tool ids | belong to their part; cached content is named in the call |
 * | Mistral, Groq, xAI, Cohere, DeepSeek, OpenAI-compatible | names, prefixes, ids, extra fields | belong to their message |
 * | Gateway | passed on | as for the provider that the model's id names |
 */
export function stateDialectOf({ provider, modelId }: ModelIdentity): StateDialect | undefined {
  if (/anthropic|claude/i.test(`${provider} ${modelId}`)) return 'anthropic';
  if (provider.endsWith('.responses') && !responsesWithoutControls.test(provider))
    return provider.includes('azure') ? 'azure' : 'openai';
  return /^(openai|azure)\//.test(modelId) && provider.startsWith('gateway') ? 'openai' : undefined;
}
