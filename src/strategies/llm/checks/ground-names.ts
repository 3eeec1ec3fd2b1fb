import type { ContentItem, ContentItems } from '../../../record/content-items.ts';
import type { Claim } from '../../grounding/claim.ts';
import { doubtMark } from '../../../record/doubt-mark.ts';
import { findMatches } from '../../grounding/find-matches.ts';
import type { GroundingIndex, Stretch } from '../../grounding/grounding-index.ts';
import { isKnown, strongValues } from '../../grounding/judge-claim.ts';
import type { GroundingOptions } from './ground-items.ts';

/**
 * Gives the names that a model added to a record the origin of the newest message that holds them. An
 * identifier or number that no message holds is marked: those lists show no origins.
 */
export async function groundNames(
  { participants, domainEntities }: ContentItems,
  options: GroundingOptions,
): Promise<Pick<ContentItems, 'participants' | 'domainEntities'>> {
  const { claims, index, positions, slices } = options;
  const names = async (
    field: 'participants' | 'domainEntities',
    items: readonly ContentItem[],
  ): Promise<readonly ContentItem[]> => {
    const checked: ContentItem[] = [];
    for (const given of items) {
      const claim = claims.of(field, given);
      const by = claim && mentionOf(claim, index);
      if (by !== undefined) checked.push({ ...given, origin: positions.originAt(by.message) });
      else if (claim === undefined || !isMadeUp(claim, index)) checked.push(given);
      else checked.push({ ...given, item: `${given.item} ${doubtMark}` });
      await slices.pause();
    }
    return checked;
  };
  return {
    participants: await names('participants', participants),
    domainEntities: await names('domainEntities', domainEntities),
  };
}

function isMadeUp(claim: Claim, index: GroundingIndex): boolean {
  return strongValues(claim).some((value) => !isKnown(value, index));
}

/** The newest sentence that holds all of a name. */
function mentionOf(claim: Claim, index: GroundingIndex): Stretch | undefined {
  const { values, words } = claim;
  if (values.length === 0 && words.length === 0) return undefined;
  const whole = findMatches(claim, index).filter(
    ({ holds, ownShare }) => values.every(holds) && (words.length === 0 || ownShare === 1),
  );
  return whole.toSorted((one, other) => other.stretch.id - one.stretch.id)[0]?.stretch;
}
