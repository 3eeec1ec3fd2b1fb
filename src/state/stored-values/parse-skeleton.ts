import { parseJson } from '../../json/parse-json.ts';
import { recordFiguresSchema } from '../../record/record-schemas.ts';
import { fieldIn, type Skeleton } from './skeleton.ts';

/** Reads what was sealed under the key of a skeleton; whatever is none is `undefined`. */
export function parseSkeleton(text: string): Skeleton | undefined {
  const { data } = recordFiguresSchema.safeParse(parseJson(text));
  return (
    data && {
      ...data,
      parentDigest: fieldIn(text, 'parentDigest'),
      archiveId: fieldIn(text, 'archiveId'),
    }
  );
}
