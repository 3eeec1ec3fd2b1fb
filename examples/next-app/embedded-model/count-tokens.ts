import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Parts of a model call that take room in the context. */
export type CountedOptions = Pick<
  LanguageModelV4CallOptions,
  'prompt' | 'tools' | 'responseFormat'
>;

// Text that looks like a special token is ordinary text.
const plainText = { disallowedSpecial: new Set<string>() };
const tokensPerMessage = 4;

/**
 * Counts a call as a provider bills it: o200k tokens of the texts, 4 for each message, tools and
 * response schema as JSON. The demo counts for itself, so that its figures do not depend on what it
 * demonstrates.
 */
export function countRequestTokens({ prompt, tools, responseFormat }: CountedOptions): number {
  const extras = [tools, responseFormat?.type === 'json' ? responseFormat.schema : undefined];
  return [
    ...prompt.map((message) => tokensPerMessage + countText(messageText(message))),
    ...extras.map((extra) => (extra === undefined ? 0 : countText(JSON.stringify(extra)))),
  ].reduce((sum, tokens) => sum + tokens, 0);
}

/** Counts a text in o200k tokens. */
export function countText(text: string): number {
  return countTokens(text, plainText);
}

function messageText(message: LanguageModelV4Message): string {
  if (message.role === 'system') return message.content;
  return message.content
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`;
      return part.type === 'tool-result' ? outputText(part.output) : '';
    })
    .join('\n');
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value;
  return JSON.stringify('value' in output ? output.value : output);
}
