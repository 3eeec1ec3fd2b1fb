import { APICallError, RetryError } from 'ai';
import { ContextOverflowError } from 'ai-sdk-summarization';

/** Says what went wrong in words that help whoever is at the keyboard, and gives nothing else away. */
export function describeError(error: unknown): string {
  if (RetryError.isInstance(error)) return describeError(error.lastError);
  if (ContextOverflowError.isInstance(error)) return describeOverflow(error);
  if (!APICallError.isInstance(error)) return 'Something went wrong on the server.';
  const { statusCode } = error;
  if (statusCode === 429) return 'The provider is asked too often just now. Wait a little.';
  if (statusCode === 401 || statusCode === 403) return 'The provider refuses the API key.';
  if (statusCode === undefined || statusCode >= 500) return 'The provider is down or unreachable.';
  return `The provider refused the request with status ${statusCode}.`;
}

function describeOverflow({ tokens, limit }: ContextOverflowError): string {
  const [least, most] = [tokens, limit].map((count) => count.toLocaleString('en'));
  return (
    `This is too long: it needs ${least} tokens at least, and the context has room for ${most}. ` +
    'Shorten your message, or raise the context length in Settings.'
  );
}
