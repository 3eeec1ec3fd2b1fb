import { APICallError } from '@ai-sdk/provider';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { countRequestTokens } from './count-tokens.ts';

/**
 * Rejects what a provider rejects, with status 400 and OpenAI's error body: a malformed prompt, and one
 * that does not fit `contextLength` (tokens) together with the room asked for the answer.
 *
 * @returns the tokens of the request.
 * @throws APICallError
 */
export function checkRequest(options: LanguageModelV4CallOptions, contextLength: number): number {
  const fault = promptFault(options.prompt);
  if (fault) throw rejection(fault, null);
  const tokens = countRequestTokens(options);
  const room = options.maxOutputTokens ?? 0;
  if (tokens + room > contextLength) {
    const asked = room
      ? `you requested ${tokens + room} tokens (${tokens} in the messages, ${room} in the completion)`
      : `your messages resulted in ${tokens} tokens`;
    throw rejection(
      `This model's maximum context length is ${contextLength} tokens. However, ${asked}. Please reduce the length of the messages.`,
      'context_length_exceeded',
    );
  }
  return tokens;
}

/** Says what is wrong with a prompt: the rules that hold for every chat API. */
function promptFault(prompt: LanguageModelV4Prompt): string | undefined {
  const start = prompt.findIndex(({ role }) => role !== 'system');
  if (start === -1) return 'messages: at least one message is required.';
  if (prompt[start]?.role !== 'user')
    return `messages.${start}: the first message must be from the user.`;
  if (prompt.at(-1)?.role === 'assistant')
    return 'messages: the last message must not be from the assistant.';

  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of prompt.entries()) {
    const at = `messages.${index}`;
    if (message.role === 'system' && index > start)
      return `${at}: system messages must come first.`;
    if (message.content.length === 0) return `${at}: content must not be empty.`;
    if (message.role === 'system') {
      if (message.content.trim() === '') return `${at}: text must not be blank.`;
      continue;
    }
    if (message.role !== 'tool' && open.size > 0) {
      return `${at}: tool calls without a result: ${[...open].join(', ')}.`;
    }
    if (message.role === 'assistant') open = new Set();
    for (const part of message.content) {
      if (part.type === 'text' && part.text.trim() === '') return `${at}: text must not be blank.`;
      if (part.type === 'tool-call') {
        if (seen.has(part.toolCallId)) return `${at}: duplicate tool call ${part.toolCallId}.`;
        seen.add(part.toolCallId);
        open.add(part.toolCallId);
      }
      if (part.type === 'tool-result' && !open.delete(part.toolCallId)) {
        return `${at}: tool result ${part.toolCallId} has no call in the message before.`;
      }
    }
  }
  return open.size > 0
    ? `messages: tool calls without a result: ${[...open].join(', ')}.`
    : undefined;
}

function rejection(message: string, code: string | null): APICallError {
  const data = { error: { message, type: 'invalid_request_error', param: 'messages', code } };
  return new APICallError({
    message,
    url: 'embedded://deterministic-agent',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: JSON.stringify(data),
    data,
    isRetryable: false,
  });
}
