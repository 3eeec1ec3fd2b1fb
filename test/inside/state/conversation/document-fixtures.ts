import { buildRecord } from '../../../../src/foundations/record/build-record.ts';
import { emptyContent } from '../../../../src/foundations/record/content-items.ts';
import {
  emptyDocument,
  type ConversationDocument,
  type UndoneSummary,
  type WholeRecord,
  type Lease,
} from '../../../../src/state/conversation/document.ts';

export const month: number = 30 * 24 * 3_600_000;

/** A record of `digest`, begun at `begunAt`, with a text of so many characters. */
export function kept(
  digest: string,
  { length = 20, ...more }: Partial<WholeRecord> & { readonly length?: number } = {},
): WholeRecord {
  const begunAt = more.begunAt ?? 100;
  const record = buildRecord(
    {
      key: digest.padEnd(64, '0'),
      depth: 0,
      coveredMessages: 4,
      prefixDigest: digest,
      strategy: 'main',
      degraded: false,
      inputTokens: 100,
    },
    emptyContent('x'.repeat(length)),
    10,
  );
  return {
    record: { ...record, timestamp: 0 },
    lastSummarization: { depth: 0, messageCount: 10, tokenRatio: 0.3 },
    from: 0,
    token: `token of ${digest}`,
    begunAt,
    until: begunAt + month,
    ...more,
  };
}

export function writing(token: string, more: Partial<Lease> = {}): Lease {
  return { token, count: 4, digest: 'a', begunAt: 100, until: month, ...more };
}

export function undone(digest: string, at: number): UndoneSummary {
  return { depth: 0, messageCount: 10, tokenRatio: 0.3, count: 4, digest, at };
}

export function documentOf(more: Partial<ConversationDocument>): ConversationDocument {
  return { ...emptyDocument, ...more };
}

/** What a document holds, for short. */
export function digestsOf({ records }: ConversationDocument): readonly string[] {
  return records.map(({ record }) => record.prefixDigest);
}
