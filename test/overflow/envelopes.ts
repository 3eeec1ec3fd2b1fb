/** An error body as OpenAI, and whoever copies its API, writes it. */
export function openai(
  message: string,
  code: string | number | null,
  param: string | null = 'messages',
): object {
  return { error: { message, type: 'invalid_request_error', param, code } };
}

/** An error body of Anthropic's Messages API. */
export function anthropic(message: string, type = 'invalid_request_error'): object {
  return { type: 'error', error: { type, message }, request_id: 'req_011CWdepJvA2D819tdYYq4h7' };
}

/** An error body of Gemini's API. */
export function google(message: string): object {
  return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } };
}

/** An error body of Gemini's streaming API, which comes in an array. */
export function googleInArray(message: string): object {
  const errors = [{ message, domain: 'global', reason: 'badRequest' }];
  return [{ error: { code: 400, message, errors, status: 'INVALID_ARGUMENT' } }];
}

/** An error body of Amazon Bedrock. */
export function bedrock(message: string): object {
  return { message };
}

/** An error body of Mistral. */
export function mistral(message: string, code: string | null, type: string): object {
  return { object: 'error', message, type, param: null, code };
}
