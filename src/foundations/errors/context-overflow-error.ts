import { SDKError } from './sdk-error.ts';

const overflowErrorMarker = 'ai-sdk-summarization.error.ContextOverflowError';

/**
 * Thrown when even the smallest legal prompt does not fit the model: the leading system messages, the
 * tools, the latest user message and the room for the answer alone are too large. The SDK does not
 * retry it.
 */
export class ContextOverflowError extends SDKError {
  /** Tokens of the smallest legal prompt. */
  readonly tokens: number;
  /** Tokens the model accepts, room for the answer already taken off. */
  readonly limit: number;

  constructor(options: { tokens: number; limit: number; message: string }) {
    super({ name: 'ContextOverflowError', message: options.message });
    this.tokens = options.tokens;
    this.limit = options.limit;
    Object.defineProperty(this, Symbol.for(overflowErrorMarker), { value: true });
  }

  /** Recognizes the error across copies of the package and realms. */
  static override isInstance(error: unknown): error is ContextOverflowError {
    return SDKError.hasMarker(error, overflowErrorMarker);
  }
}
