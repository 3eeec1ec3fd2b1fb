import { anthropic, bedrock, google, googleInArray, mistral, openai } from './envelopes.ts';

/** What an error says of the size. */
export interface StatedSizes {
  /** Tokens the model accepts. */
  readonly limit?: number;
  /** Whether the limit is one of the prompt alone, the answer not counted. */
  readonly isInputLimit?: boolean;
  /** Tokens of the prompt that was refused. */
  readonly tokens?: number;
  /** Tokens that were reserved for the answer. */
  readonly answerTokens?: number;
}

/** An error by which a provider refused a prompt that was too long, as users reported it. */
export interface OverflowError {
  readonly id: string;
  /** The provider package that reaches it. */
  readonly client:
    | 'openai'
    | 'anthropic'
    | 'google'
    | 'amazon-bedrock'
    | 'mistral'
    | 'openai-compatible';
  /** 200 for an event of a stream. */
  readonly status: number;
  readonly body: object;
  /** What it states. */
  readonly stated: StatedSizes;
}

/** Overflow errors of every provider we have a report of. */
export const overflowErrors: readonly OverflowError[] = [
  {
    id: 'openai-chat-overflow-classic',
    client: 'openai',
    status: 400,
    body: openai(
      "This model's maximum context length is 4097 tokens. However, your messages resulted in 4363 tokens. Please reduce the length of the messages.",
      'context_length_exceeded',
    ),
    stated: { limit: 4097, tokens: 4363 },
  },
  {
    id: 'openai-chat-overflow-with-completion',
    client: 'openai',
    status: 400,
    body: openai(
      "This model's maximum context length is 4097 tokens. However, you requested 4120 tokens (3120 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      'context_length_exceeded',
    ),
    stated: { limit: 4097, tokens: 3120, answerTokens: 1000 },
  },
  {
    id: 'openai-chat-overflow-gpt5',
    client: 'openai',
    status: 400,
    body: openai(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 477469 tokens. Please reduce the length of the messages.',
      'context_length_exceeded',
    ),
    stated: { limit: 272_000, isInputLimit: true, tokens: 477_469 },
  },
  {
    id: 'openai-responses-overflow-http',
    client: 'openai',
    status: 400,
    body: openai(
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'context_length_exceeded',
      'input',
    ),
    stated: {},
  },
  {
    id: 'openai-responses-overflow-stream',
    client: 'openai',
    status: 200,
    body: {
      type: 'error',
      sequence_number: 2,
      error: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
        param: 'input',
      },
    },
    stated: {},
  },
  {
    id: 'anthropic-overflow',
    client: 'anthropic',
    status: 400,
    body: anthropic('prompt is too long: 200251 tokens > 200000 maximum'),
    stated: { limit: 200_000, isInputLimit: true, tokens: 200_251 },
  },
  {
    id: 'anthropic-overflow-with-max-tokens',
    client: 'anthropic',
    status: 400,
    body: anthropic(
      'input length and `max_tokens` exceed context limit: 143653 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    ),
    stated: { limit: 200_000, tokens: 143_653, answerTokens: 64_000 },
  },
  {
    id: 'google-overflow-aistudio',
    client: 'google',
    status: 400,
    body: google(
      'The input token count (132478) exceeds the maximum number of tokens allowed (131072).',
    ),
    stated: { limit: 131_072, isInputLimit: true, tokens: 132_478 },
  },
  {
    id: 'google-overflow-codeassist',
    client: 'google',
    status: 400,
    body: googleInArray(
      'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
    ),
    stated: { limit: 1_048_576, isInputLimit: true, tokens: 1_200_293 },
  },
  {
    id: 'bedrock-overflow-generic',
    client: 'amazon-bedrock',
    status: 400,
    body: bedrock('Input is too long for requested model.'),
    stated: {},
  },
  {
    id: 'bedrock-overflow-claude',
    client: 'amazon-bedrock',
    status: 400,
    body: bedrock(
      'The model returned the following errors: prompt is too long: 200049 tokens > 200000 maximum',
    ),
    stated: { limit: 200_000, isInputLimit: true, tokens: 200_049 },
  },
  {
    id: 'bedrock-stream-overflow',
    client: 'amazon-bedrock',
    status: 200,
    body: {
      validationException: {
        message: 'The model returned the following errors: Input is too long for requested model.',
      },
    },
    stated: {},
  },
  {
    id: 'groq-overflow',
    client: 'openai-compatible',
    status: 400,
    body: openai(
      'Please reduce the length of the messages or completion.',
      'context_length_exceeded',
    ),
    stated: {},
  },
  {
    id: 'cerebras-overflow',
    client: 'openai-compatible',
    status: 400,
    body: {
      message:
        'Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
    stated: { limit: 40_000, tokens: 42_328 },
  },
  {
    id: 'mistral-overflow',
    client: 'mistral',
    status: 400,
    body: mistral(
      'Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      '3051',
      'invalid_request_prompt',
    ),
    stated: { limit: 32_768, tokens: 65_673 },
  },
  {
    id: 'xai-overflow',
    client: 'openai-compatible',
    status: 400,
    body: {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    },
    stated: { limit: 131_072, isInputLimit: true, tokens: 136_973 },
  },
  {
    id: 'deepseek-overflow',
    client: 'openai-compatible',
    status: 400,
    body: openai(
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
      'invalid_request_error',
      null,
    ),
    stated: { limit: 131_072, tokens: 122_942, answerTokens: 8192 },
  },
  {
    id: 'openrouter-overflow',
    client: 'openai-compatible',
    status: 400,
    body: {
      error: {
        message:
          'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
        code: 400,
      },
    },
    stated: { limit: 32_768, tokens: 42_832 },
  },
  {
    id: 'watsonx-overflow',
    client: 'openai-compatible',
    status: 400,
    body: {
      errors: [
        {
          code: 'invalid_input_argument',
          message:
            "Invalid input argument for Model 'ibm/granite-4-h-small': This model's maximum context length is 131072 tokens. However, your request has 600039 input tokens.",
        },
      ],
      trace: '903ff69ef8dc748c20d94f77c5810bf1',
      status_code: 400,
    },
    stated: { limit: 131_072, tokens: 600_039 },
  },
  {
    id: 'minimax-overflow',
    client: 'anthropic',
    status: 400,
    body: anthropic('invalid params, context window exceeds limit (2013)', 'bad_request_error'),
    stated: {},
  },
  {
    id: 'llamacpp-overflow',
    client: 'openai-compatible',
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14429,
        n_ctx: 8192,
      },
    },
    stated: { limit: 8192, tokens: 14_429 },
  },
  {
    id: 'lmstudio-overflow',
    client: 'openai-compatible',
    status: 400,
    body: {
      error:
        'Trying to keep the first 10136 tokens when context the overflows. However, the model is loaded with context length of only 7866 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input.',
    },
    stated: { limit: 7866, tokens: 10_136 },
  },
  {
    id: 'vllm-overflow',
    client: 'openai-compatible',
    status: 400,
    body: openai(
      "This model's maximum context length is 8192 tokens. However, you requested 8246 tokens (54 in the messages, 8192 in the completion). Please reduce the length of the messages or completion. None",
      400,
      null,
    ),
    stated: { limit: 8192, tokens: 54, answerTokens: 8192 },
  },
  {
    id: 'copilot-overflow',
    client: 'openai-compatible',
    status: 400,
    body: {
      error: {
        message: 'prompt token count of 137000 exceeds the limit of 128000',
        code: 'model_max_prompt_tokens_exceeded',
      },
    },
    stated: { limit: 128_000, isInputLimit: true, tokens: 137_000 },
  },
  {
    id: 'groq-tpm-413',
    client: 'openai-compatible',
    status: 413,
    body: {
      error: {
        message:
          'Request too large for model `llama-3.3-70b-versatile` in organization `org_REDACTED` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 14810, please reduce your message size and try again. Visit https://console.groq.com/docs/rate-limits for more information.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    // 0.8 of what one minute has.
    stated: { limit: 4800 },
  },
  {
    id: 'openai-tpm-429',
    client: 'openai',
    status: 429,
    body: {
      error: {
        message:
          'Request too large for gpt-4o in organization org-REDACTED on tokens per min (TPM): Limit 7000, Requested 9046. The input or output tokens must be reduced in order to run successfully. Visit https://platform.openai.com/account/rate-limits to learn more.',
        type: 'tokens',
        param: null,
        code: 'rate_limit_exceeded',
      },
    },
    stated: { limit: 5600 },
  },
];
