import { SDKError } from '../../errors/sdk-error.ts';
import { messageOf } from '../../util/message-of.ts';

const fileErrorMarker = 'ai-sdk-summarization.error.SummaryFileError';

/** Thrown when a summary file cannot be read, for instance because it was changed by hand. */
export class SummaryFileError extends SDKError {
  /** Path of the file. */
  readonly path: string;

  constructor({ path, cause }: { path: string; cause: unknown }) {
    super({ name: 'SummaryFileError', message: `${path}: ${messageOf(cause)}`, cause });
    this.path = path;
    Object.defineProperty(this, Symbol.for(fileErrorMarker), { value: true });
  }

  /** Recognises the error across copies of the package and realms. */
  static override isInstance(error: unknown): error is SummaryFileError {
    return SDKError.hasMarker(error, fileErrorMarker);
  }
}
