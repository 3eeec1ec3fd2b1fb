import { cutAtWord, type ToolUse } from '../../tool-summary.ts';
import { ownProperty } from './fields.ts';
import { readKnownOutput } from './known-output.ts';
import { pageOf } from './listed-page.ts';
import { countLines, firstLine } from './text-lines.ts';
import { toolFacts, type ToolFacts } from './tool-facts.ts';

const maxFacts = 8;
const maxValueCharacters = 60;
const maxFields = 200;

/** Any other tool: what it was asked, then the fields of a JSON result or the first line of a text. */
export function otherFacts(use: ToolUse): ToolFacts {
  const { input, output, value } = use;
  const known = value === undefined ? readKnownOutput(output) : undefined;
  const { items, total, hasMore } = pageOf(value);
  const facts = toolFacts(use, {
    asked: scalars(input).slice(0, maxFacts / 2),
    found: () => known?.facts ?? (value === undefined ? textFacts(output) : valueFacts(value)),
    isPartial: hasMore,
    metadata: {
      itemCount: items?.length,
      totalCount: items === undefined ? undefined : total,
      ...known?.metadata,
    },
  });
  const keyFacts = [...new Set(facts.keyFacts.filter((text) => text !== ''))].slice(0, maxFacts);
  return { ...facts, keyFacts };
}

/** A page of a list says how long it is before anything else. */
function valueFacts(value: unknown): readonly string[] {
  const { items, isPage, total, hasMore } = pageOf(value);
  if (items === undefined || !isPage) return scalars(value);
  const of = total === undefined ? '' : ` of ${total}`;
  return [
    `Items: ${items.length}${of}${hasMore ? ', more to come' : ''}`,
    ...items.slice(0, 2).flatMap(fieldFacts),
    ...scalars(value),
  ];
}

function textFacts(output: string): readonly string[] {
  const lines = countLines(output);
  const first = cutAtWord(firstLine(output) ?? '', 2 * maxValueCharacters);
  return lines > 1 ? [first, `Lines: ${lines}`] : [first];
}

/** The short values of an object under their names, lists by their length, one level down. */
function scalars(value: unknown): readonly string[] {
  if (typeof value === 'number') return [shortValue(String(value))];
  if (!Array.isArray(value)) return fieldFacts(value);
  const listed: readonly unknown[] = value;
  return [`Items: ${listed.length}`, ...listed.slice(0, 2).flatMap(fieldFacts)];
}

function fieldFacts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [shortValue(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .slice(0, maxFields)
    .flatMap((key): readonly string[] => {
      const entry = ownProperty(value, key);
      if (Array.isArray(entry)) return [`${key}: ${entry.length} items`];
      const isScalar = ['string', 'number', 'boolean'].includes(typeof entry);
      return isScalar ? [`${key}: ${shortValue(String(entry))}`] : [];
    });
}

function shortValue(text: string): string {
  return cutAtWord(text, maxValueCharacters);
}
