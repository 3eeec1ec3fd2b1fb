import type { ToolExtractor } from '../../tool-summary.ts';
import { errorFacts, saysFailed, saysPartial } from './error-text.ts';
import { propertyOf } from './fields.ts';
import { countLines, firstLine } from './text-lines.ts';

const maxFacts = 8;
const maxValueCharacters = 60;
const maxFields = 200;

/** Any other tool: what it was asked, then the fields of a JSON result or the first line of a text. */
export const defaultExtractor: ToolExtractor = (use) => {
  const asked = scalars(use.input).slice(0, maxFacts / 2);
  const failed = saysFailed(use);
  const lines = countLines(use.output);
  const answered =
    use.value === undefined
      ? [
          firstLine(use.output)?.slice(0, 2 * maxValueCharacters) ?? '',
          lines > 1 ? `Lines: ${lines}` : '',
        ]
      : scalars(use.value);
  const status = saysPartial(use) ? 'partial' : 'success';
  const facts = [...asked, ...(failed ? errorFacts(use) : answered)].filter((text) => text !== '');
  return {
    toolName: use.toolName,
    status: failed ? 'error' : status,
    keyFacts: [...new Set(facts)].slice(0, maxFacts),
    metadata: { lines, characters: use.output.length },
  };
};

/** The short values of an object under their names, lists by their length, one level down. */
function scalars(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number') return [shortened(String(value))];
  if (Array.isArray(value)) {
    const listed: readonly unknown[] = value;
    return [`Items: ${listed.length}`, ...listed.slice(0, 2).flatMap(scalarsOfObject)];
  }
  return scalarsOfObject(value);
}

function scalarsOfObject(value: unknown): readonly string[] {
  if (typeof value === 'string') return [shortened(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value)
    .slice(0, maxFields)
    .flatMap((key): readonly string[] => {
      const entry = propertyOf(value, key);
      if (Array.isArray(entry)) return [`${key}: ${entry.length} items`];
      const text = scalarText(entry);
      return text === undefined ? [] : [`${key}: ${shortened(text)}`];
    });
}

function shortened(text: string): string {
  return text.length <= maxValueCharacters ? text : `${text.slice(0, maxValueCharacters - 1)}…`;
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
