import { anthropic, bedrock, google, mistral, openai } from './envelopes.ts';

/** What providers say with status 400 that has nothing to do with the length of a prompt, by whose form it has. */
const refusals = {
  openai: [
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_jJATmoUduQWxi4tRwcQjsodM",
    "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'",
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)",
    'No tool call found for function call output with call_id call_TnakLSVsqtVt5cJssAhRwMoe.',
    'No tool output found for function call call_TnakLSVsqtVt5cJssAhRwMoe.',
    "Item 'rs_06a20bd006d58dde00692a12986174819ea1cd9ea5b9ca4946' of type 'reasoning' was provided without its required following item.",
    "Item 'fc_...' of type 'function_call' was provided without its required 'reasoning' item: 'rs_...'.",
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    'No tool output found for tool call call_...',
  ],
  anthropic: [
    'messages.363: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01APpuJTbH8Jd1zPRw5soQCo. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    'messages.0.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01GHndag5wQmbzNihYmV2UBj. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    'messages.99.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking',
    'messages.51.content.0: If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`.',
    'messages.1: The final block in an assistant message cannot be `thinking`.',
    'messages.3.content.8: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    'messages: text content blocks must be non-empty',
    'messages: text content blocks must contain non-whitespace text',
    'messages: all messages must have non-empty content except for the optional final assistant message',
    'This model does not support assistant message prefill. The conversation must end with a user message.',
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
  ],
  bedrock: [
    'The model returned the following errors: messages.48: Did not find 1 tool_result block(s) at the beginning of this message. Messages following tool_use blocks must begin with a matching number of tool_result blocks.',
    'The number of toolResult blocks at messages.2.content exceeds the number of toolUse blocks of previous turn.',
    'Expected toolResult blocks at messages.2.content for the following Ids: tooluse_bRX9ftpYK3xO5tev2x4qtc',
    'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
    'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    'messages.4.content: Conversation blocks and tool result blocks cannot be provided in the same turn.',
    'The content field at messages.3.content.0.toolResult cannot be empty when status value is error.',
  ],
  google: [
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
    'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    'Please ensure that function response turn comes immediately after a function call turn.',
    'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call `default_api:get_current_time` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.',
  ],
  mistral: [
    "Unexpected role 'user' after role 'tool'",
    "Unexpected role 'tool' after role 'user'",
    'Not the same number of function calls and responses',
    'Expected last role User or Tool (or Assistant with prefix or continue_final_message set to True) for serving but got assistant',
    'Assistant message must have either content or tool_calls, but not both.',
    'Tool call id was call_abc123 but must be a-z, A-Z, 0-9, with a length of 9.',
  ],
} as const;

const forms: Readonly<Record<keyof typeof refusals, (message: string) => object>> = {
  openai: (message) => openai(message, null),
  anthropic: (message) => anthropic(message),
  google,
  bedrock,
  mistral: (message) => mistral(message, '3230', 'invalid_request_message_order'),
};

/** Errors of providers that have nothing to do with the length of a prompt: name, status, body. */
export const otherErrors: readonly (readonly [name: string, status: number, body: object])[] = [
  ...(['openai', 'anthropic', 'google', 'bedrock', 'mistral'] as const).flatMap((form) =>
    refusals[form].map((message) => [message.slice(0, 60), 400, forms[form](message)] as const),
  ),
  [
    'openai-responses-failed-shape',
    200,
    {
      type: 'response.failed',
      sequence_number: 3,
      response: {
        error: { code: 'server_error', message: 'response failed' },
        incomplete_details: { reason: 'max_output_tokens' },
        usage: null,
        service_tier: null,
      },
    },
  ],
  [
    'groq-tpm-that-passes-later',
    429,
    {
      error: {
        message:
          'Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_REDACTED` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Used 5500, Requested 1481. Please try again in 9.81s. Visit https://console.groq.com/docs/rate-limits for more information.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
  ],
  [
    'a-request-below-the-rate',
    429,
    {
      error: {
        message: 'Rate limit reached on tokens per min (TPM): Limit 30000, Requested 12000.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
  ],
  [
    'openrouter-wrapped',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"object":"error","message":"Unexpected role \'tool\' after role \'user\'","type":"invalid_request_message_order","param":null,"code":"3230"}',
          provider_name: 'Mistral',
        },
      },
    },
  ],
  [
    'ollama-silent-truncation',
    200,
    {
      model: 'x',
      message: { role: 'assistant', content: '...' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 16387,
      eval_count: 12,
    },
  ],
  [
    'qwen-missing-tool',
    400,
    {
      error: {
        code: 'invalid_parameter_error',
        param: null,
        message:
          '<400> InternalError.Algo.InvalidParameter: An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[532].role',
        type: 'invalid_request_error',
      },
      id: 'chatcmpl-c9430ea7',
      request_id: 'c9430ea7-5557-9aa3-b97c-549fb5807715',
    },
  ],
  [
    'local-alternate',
    400,
    {
      error: {
        message: 'Conversation roles must alternate user/assistant/user/assistant/...',
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
    },
  ],
  ['sdk-missing-tool-results', 0, { name: 'AI_MissingToolResultsError', toolCallIds: ['call_1'] }],
  [
    'sdk-multiple-system',
    0,
    {
      name: 'AI_UnsupportedFunctionalityError',
      message:
        "'Multiple system messages that are separated by user/assistant messages' functionality not supported.",
    },
  ],
  [
    'sdk-google-system',
    0,
    {
      name: 'AI_UnsupportedFunctionalityError',
      message:
        "'system messages are only supported at the beginning of the conversation' functionality not supported.",
    },
  ],
];
