import { SDKError } from '../../errors/sdk-error.ts';

const fileErrorMarker = 'ai-sdk-summarization.error.SummaryFileError';

/** Thrown when a summary file cannot be read, for instance because it was changed by hand. */
export class SummaryFileError extends SDKError {
  /** Path of the file. */
  readonly path: string;

  constructor({ path, cause }: { path: string; cause: unknown }) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super({ name: 'SummaryFileError', message: `${path}: ${reason}`, cause });
    this.path = path;
    Object.defineProperty(this, Symbol.for(fileErrorMarker), { value: true });
  }

  /** Recognises the error across copies of the package and realms. */
  static override isInstance(error: unknown): error is SummaryFileError {
    return SDKError.hasMarker(error, fileErrorMarker);
  }
}
