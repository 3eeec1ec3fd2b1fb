import { cutAtWord, type ToolUse } from '../../tool-summary.ts';
import { fieldOf, integerField, ownProperty } from './fields.ts';
import { pageOf } from './listed-page.ts';
import { countLines, firstLine } from './text-lines.ts';
import { fact, toolFacts, type ToolFacts } from './tool-facts.ts';

const maxShown = 3;
const resultLists = ['results', 'sources', 'organic', 'items', 'data'];

/** A page that was fetched, or a search of the web: what was asked, status, title, what was found. */
export function webFacts(use: ToolUse): ToolFacts {
  const { input, value, output } = use;
  const action = ownProperty(value, 'action') ?? ownProperty(input, 'action');
  const query =
    fieldOf(input, ['query', 'q', 'search_query', 'objective']) ?? fieldOf(action, ['query']);
  const url = fieldOf(input, ['url', 'uri', 'href', 'link']) ?? fieldOf(value, ['url']);
  const statusCode = integerField(value, ['status', 'statusCode', 'status_code', 'code']);
  const { items } = pageOf(value, resultLists);
  const titles = (items ?? [])
    .slice(0, maxShown)
    .map((item) => fieldOf(item, ['title', 'url', 'link']));
  const shownTitles = titles.filter((title) => title !== undefined);
  return toolFacts(use, {
    asked: [...fact('Query', query), ...fact('URL', url), ...fact('Status', statusCode)],
    found: () => [
      ...fact('Title', titleOf(value)),
      ...fact('Results', items?.length),
      ...fact('Top', shownTitles.join(', ')),
      ...(value === undefined ? fact('First', cutAtWord(firstLine(output) ?? '', 80)) : []),
      ...(items === undefined ? fact('Lines', countLines(output)) : []),
    ],
    ...(statusCode !== undefined && statusCode >= 400 ? { failed: true } : {}),
    isPartial: items?.length === 0,
    metadata: { url, query, statusCode, matchCount: items?.length },
  });
}

function titleOf(value: unknown): string | undefined {
  return fieldOf(value, ['title']) ?? fieldOf(ownProperty(value, 'content'), ['title']);
}
