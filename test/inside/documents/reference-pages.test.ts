import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instruments } from '../../../src/call/report/events.ts';
import * as root from '../../../src/index.ts';
import * as text from '../../../src/entries/text/index.ts';
import * as node from '../../../src/entries/node/index.ts';
import * as ui from '../../../src/entries/ui/index.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** Words in quotes that stand in code of the text. */
const quoted = (source: string): readonly string[] =>
  [...source.matchAll(/'([a-z-]+)'/g)].map((match) => match[1] ?? '');

function missing(page: string, names: readonly string[]): readonly string[] {
  const code = [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)]
    .map((match) => match[1] ?? '')
    .join('\n');
  return names.filter((name) => !new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code));
}

describe('the reference', () => {
  const events = read('../../../docs/when-something-is-wrong.md');
  const eventSource = read('../../../src/call/report/events.ts');

  /** Words in quotes behind a place in the source. */
  const listed = (source: string, place: RegExp): readonly string[] => {
    const names = quoted(place.exec(source)?.[1] ?? '');
    expect(names.length).toBeGreaterThan(3);
    return names;
  };

  const [, fields = ''] = /export interface EventFields \{([^]*?)\n\}/.exec(eventSource) ?? [];
  const decisions = read('../../../src/planning/plan/decide.ts');

  it.each<[string, readonly string[]]>([
    ['event', Array.from(fields.matchAll(/^  readonly '?([a-z-]+)'?:/gm), ([, name = '']) => name)],
    [
      'instrument of a meter',
      Object.keys(instruments).map((name) =>
        name
          .replace('summaries', 'summarization.summaries')
          .replace(/[A-Z]/, (letter) => `.${letter.toLowerCase()}`),
      ),
    ],
    ['reason to summarize', listed(decisions, /export type TriggerReason =([^;]+);/)],
    ['reason not to', listed(eventSource, /readonly skipped: \{\s+readonly reason:([^;]+);/)],
  ])('names each %s', (_what, names) => {
    expect(names.length).toBeGreaterThan(3);
    expect(missing(events, names)).toEqual([]);
  });

  it('has a section for each error, each reason of a failure and each warning', () => {
    const [, sections = ''] = events.split('## Errors and warnings');
    const headings = [...sections.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);
    const errors = read('../../../src/foundations/errors/summarization-error.ts');
    expect(headings.toSorted()).toEqual(
      [
        'SummarizationOptionError',
        'ContextOverflowError',
        ...listed(errors, /export type SummarizationFailure =([^;]+);/),
        ...listed(eventSource, /readonly warning: \{\s*readonly code:([^;]+);/),
      ].toSorted(),
    );
  });

  it('names each function', () => {
    const functions = [root, text, node, ui]
      .flatMap((entry) => Object.entries(entry))
      .filter(([name, value]) => typeof value === 'function' && /^[a-z]/.test(name))
      .map(([name]) => name);
    expect(functions.length).toBeGreaterThan(20);
    expect(missing(read('../../../docs/tune.md'), functions)).toEqual([]);
  });
});

describe('figures', () => {
  const results = read('../../../bench/results.md');

  it.each(['README.md', 'docs/costs.md'])('of %s are those that commands wrote', (page) => {
    const shown = read(`../../../${page}`).matchAll(
      /<!-- figures: ([\w-]+) -->\n\n([^]*?)\n\n<!-- \/figures -->/g,
    );
    const blocks = [...shown];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, name, shownText = ''] of blocks)
      expect(`${results}\n`).toContain(`## ${name}\n\n${shownText}\n\n`);
  });
});
