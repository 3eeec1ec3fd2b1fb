import { SDKError } from './sdk-error.ts';

const optionErrorMarker = 'ai-sdk-summarization.error.SummarizationOptionError';

/** Thrown when an option or an argument is wrong, unknown names included: at construction, or at once. */
export class SummarizationOptionError extends SDKError {
  /** Path of the option, such as `providers.openai.triggerTokenRatio`. */
  readonly option: string;
  /** The value that was given. */
  readonly value: unknown;
  /** Values that the option accepts, in words; before that, as a question, a likely name or value. */
  readonly allowed: string;

  constructor(options: { option: string; value: unknown; allowed: string }) {
    super({
      name: 'SummarizationOptionError',
      message: `Invalid option ${options.option}: got ${describeValue(options.value, mayHoldSecrets.has(options.option))}, ${options.allowed.startsWith('did you mean ') ? '' : 'allowed is '}${options.allowed}.`,
    });
    this.option = options.option;
    this.value = options.value;
    this.allowed = options.allowed;
    Object.defineProperty(this, Symbol.for(optionErrorMarker), { value: true });
  }

  /** Recognizes the error across copies of the package and realms. */
  static override isInstance(error: unknown): error is SummarizationOptionError {
    return SDKError.hasMarker(error, optionErrorMarker);
  }
}

/** Options whose value may be a secret, or the address of a server with its password. */
const mayHoldSecrets = new Set(['secret', 'client']);

function describeValue(value: unknown, mayHoldSecret: boolean): string {
  if (typeof value === 'string' && mayHoldSecret) return `a string of ${value.length} characters`;
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80));
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
