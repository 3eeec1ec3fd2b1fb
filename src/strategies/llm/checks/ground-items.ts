import type { ContentItem, ContentItems } from '../../../record/content-items.ts';
import { modelOrigin } from '../../../record/item-origin.ts';
import type { ActionItem } from '../../../record/summary-record.ts';
import type { TimeSlices } from '../../../util/async/time-slices.ts';
import type { GroundingIndex, Stretch } from '../../grounding/grounding-index.ts';
import { judgeClaim, type Judgement } from '../../grounding/judge-claim.ts';
import { judgeDecision } from '../../grounding/judge-decision.ts';
import type { MessagePositions } from '../../messages/message-positions.ts';
import { asOneLine, sameness } from '../../rule-based/texts/sentences.ts';
import type { NewClaims } from './new-claims.ts';

/** What the items of a record are checked with. */
export interface GroundingOptions {
  readonly claims: NewClaims;
  /** The messages, read for what the claims speak of. */
  readonly index: GroundingIndex;
  readonly positions: Pick<MessagePositions, 'originAt'>;
  readonly slices: TimeSlices;
}

/**
 * Checks the statements that a model added to a record against the messages. What one of them bears out gets its
 * origin; what none does stays, as the model's; where one says otherwise, its own words take the place.
 * Decisions that nobody is known to have made become key points.
 */
export async function groundItems(
  lists: ContentItems,
  options: GroundingOptions,
): Promise<Pick<ContentItems, 'keyPoints' | 'decisions' | 'actionItems' | 'unresolved'>> {
  const { constraints } = lists;
  const { decisions, demoted } = await groundDecisions(lists.decisions, options);
  const keyPoints = await statements('keyPoints', lists.keyPoints, asText, options);
  return {
    keyPoints: eachOnce([...keyPoints, ...demoted], constraints),
    decisions: eachOnce(decisions, constraints),
    actionItems: await statements('actionItems', lists.actionItems, asTask, options),
    unresolved: eachOnce(await statements('unresolved', lists.unresolved, asText, options), []),
  };
}

async function statements<Item extends string | ActionItem>(
  field: 'keyPoints' | 'actionItems' | 'unresolved',
  items: readonly ContentItem<Item>[],
  asItem: (sentence: string) => Item,
  options: GroundingOptions,
): Promise<readonly ContentItem<Item>[]> {
  const { claims, index, slices } = options;
  const checked: ContentItem<Item>[] = [];
  for (const given of items) {
    const claim = claims.of(field, given);
    if (claim === undefined) checked.push(given);
    else checked.push(judged(given, judgeClaim(claim, index), asItem, options));
    await slices.pause();
  }
  return checked;
}

async function groundDecisions(
  items: readonly ContentItem[],
  options: GroundingOptions,
): Promise<{
  readonly decisions: readonly ContentItem[];
  readonly demoted: readonly ContentItem[];
}> {
  const { claims, index, slices } = options;
  const decisions: ContentItem[] = [];
  const demoted: ContentItem[] = [];
  for (const given of items) {
    const claim = claims.of('decisions', given);
    const judgement = claim && judgeDecision(claim, index);
    if (judgement === undefined) decisions.push(given);
    else if (judgement.kind === 'demoted')
      demoted.push(judged(given, judgement.judgement, asText, options));
    else {
      const { by } = judgement;
      const isKept = judgement.kind === 'kept';
      decisions.push(isKept ? from(by, given.item, options) : from(by, sentenceOf(by), options));
    }
    await slices.pause();
  }
  return { decisions, demoted };
}

function judged<Item>(
  given: ContentItem<Item>,
  judgement: Judgement,
  asItem: (sentence: string) => Item,
  options: GroundingOptions,
): ContentItem<Item> {
  if (judgement.kind === 'unsupported') return { ...given, origin: modelOrigin };
  const { kind, by } = judgement;
  return from(by, kind === 'supported' ? given.item : asItem(sentenceOf(by)), options);
}

function from<Item>(
  { message }: Stretch,
  item: Item,
  { positions }: GroundingOptions,
): ContentItem<Item> {
  return { item, origin: positions.originAt(message) };
}

function sentenceOf({ text }: Stretch): string {
  return asOneLine(text);
}

function asText(sentence: string): string {
  return sentence;
}

function asTask(task: string): ActionItem {
  return { task };
}

/** Without what says the same as another item or as a rule of the user: sentences that stand for several. */
function eachOnce(
  items: readonly ContentItem[],
  rules: readonly ContentItem[],
): readonly ContentItem[] {
  const seen = new Set(rules.map(({ item }) => sameness(item)));
  return items.filter(({ item }) => !seen.has(sameness(item)) && seen.add(sameness(item)));
}
