import { z } from 'zod/v4';
import { cleanRecord } from '../cleaning/clean-content.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { parseJson } from '../json/parse-json.ts';
import { recordFiguresSchema, summaryRecordSchema } from '../record/record-schemas.ts';
import type { ConversationDocument, KeptRecord } from './document.ts';

const count = z.int().min(0);
const lastSummarization = {
  depth: count,
  messageCount: count,
  tokenRatio: z.number().min(0),
};

const kept: z.ZodType<KeptRecord> = z.object({
  record: z.union([summaryRecordSchema, recordFiguresSchema]),
  token: z.string(),
  keptAt: z.number(),
  textsUntil: z.number(),
  until: z.number(),
  child: z.string().optional(),
  lastSummarization: z.object(lastSummarization),
  treeId: z.string().optional(),
  from: count,
  archivesUntil: z.number().optional(),
  parentDigest: z.string().min(1).optional(),
  lastIds: z.array(z.string()).optional(),
  ratioIfUndone: z.number().min(0).optional(),
  archiveId: z.string().min(1).optional(),
  prepared: z.literal(true).optional(),
});

const documentSchema: z.ZodType<ConversationDocument> = z.object({
  epoch: z.string(),
  records: z.array(kept),
  writing: z.array(
    z.object({
      token: z.string(),
      count,
      digest: z.string(),
      until: z.number(),
      archiveId: z.string().optional(),
    }),
  ),
  undone: z.array(z.object({ ...lastSummarization, count, digest: z.string(), at: z.number() })),
  left: z.object({ archives: z.array(z.string()), trees: z.array(z.string()) }),
});

/**
 * Reads what was sealed under the key of a document; whatever is none is `undefined`. Its texts pass like those that are
 * written: whoever wrote it may have been another version of this package.
 */
export function parseDocument(text: string): ConversationDocument | undefined {
  const { data } = documentSchema.safeParse(parseJson(text));
  return (
    data && {
      ...data,
      records: data.records.map((each) =>
        'summary' in each.record
          ? { ...each, record: cleanRecord(each.record, visibleText) }
          : each,
      ),
    }
  );
}
