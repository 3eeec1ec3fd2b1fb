import type { Redact } from '../cleaning/redaction-door.ts';
import type { ArchiveOptions } from '../stores/store-options.ts';

/** How originals are kept. */
export interface ArchivePolicy {
  readonly maxFileBytes: number;
  readonly redact: Redact | undefined;
}

const defaultMaxFileBytes = 1024 * 1024;

/** How originals are kept by the options of a middleware; `undefined`: not at all. */
export function archivePolicyOf({
  archive = false,
  redact,
}: {
  readonly archive?: boolean | ArchiveOptions | undefined;
  readonly redact?: Redact | undefined;
}): ArchivePolicy | undefined {
  if (archive === false) return undefined;
  const { maxFileBytes = defaultMaxFileBytes } = archive === true ? {} : archive;
  return { maxFileBytes, redact };
}
