import { readIdentifierList } from './identifier-list.ts';
import type { MinutesText } from './texts/minutes-text.ts';

/** By how much those at the end of a list stand back: most of them filled the room that was left. */
const standingExponent = 2;

/** The identifiers that an earlier record lists, to be ranked among those of the messages. */
export function listedTexts(entities: readonly string[]): readonly MinutesText[] {
  const listed = entities.flatMap(
    (entity) => readIdentifierList(entity) ?? [{ text: entity, group: '' }],
  );
  return listed.map(({ text, group }, place) => ({
    index: -1,
    role: 'list',
    line: 0,
    head: group,
    isCall: false,
    text,
    standing: (1 - place / listed.length) ** standingExponent,
  }));
}
