import { recordFiguresSchema } from '../../record/record-schemas.ts';
import { fieldIn, type Skeleton } from './skeleton.ts';

/** Reads what was sealed under the key of a skeleton; whatever is none is `undefined`. */
export function parseSkeleton(text: string): Skeleton | undefined {
  try {
    const { data } = recordFiguresSchema.safeParse(JSON.parse(text));
    return (
      data && {
        ...data,
        parentDigest: fieldIn(text, 'parentDigest'),
        archiveId: fieldIn(text, 'archiveId'),
      }
    );
  } catch {
    return undefined;
  }
}
