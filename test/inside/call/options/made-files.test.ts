import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import {
  ruleOf,
  settingSections,
  type SettingSection,
} from '../../../../src/entries/node/settings.ts';
import { defaults, optionRules } from '../../../../src/call/options/summarization-options.ts';

const at = (path: string): URL => new URL(`../../../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(at(path), 'utf8');

/** `npm run make:options` writes what this test holds equal. */
const isMaking = process.env['MAKE_FILES'] !== undefined;

/** JSON Schema of an object whose notes, keys that begin with `_`, mean nothing. */
const objectSchema = (properties: object, others: unknown = false): object => ({
  type: 'object',
  ...(Object.keys(properties).length > 0 && { properties }),
  patternProperties: { '^_': {} },
  additionalProperties: others,
});

function settingsSchema(section: string, { settings }: SettingSection): object {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, setting]) => {
      const [meaning, fallback] = setting;
      const { $schema: _draft, ...schema } = z.toJSONSchema(ruleOf(section, name, setting), {
        target: 'draft-7',
        io: 'input',
        override: ({ jsonSchema }) => {
          // What JSON can hold says nothing.
          if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        },
      });
      const ofDefault = fallback === undefined ? {} : { default: fallback };
      const inCode = name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
      return [
        ...(inCode === name ? [] : [[inCode, { description: `As ${name}.`, ...schema }]]),
        [name, { description: meaning, ...schema, ...ofDefault }],
      ];
    }),
  );
}

function schemaOfFile(): object {
  const sections = Object.entries(settingSections).map(([section, whole]) => {
    const { meaning, settings, isByName } = whole;
    const properties = settingsSchema(section, whole);
    const ofOne = Object.keys(settings).length > 0 ? objectSchema(properties) : { type: 'object' };
    const schema = isByName === true ? objectSchema({}, ofOne) : objectSchema(properties);
    return [section, { description: meaning, ...schema }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of ai-sdk-summarization',
    description:
      'As ensureSettings writes them and loadSettings reads them. Keys that begin with _ are notes.',
    ...objectSchema({ $schema: { type: 'string' }, ...Object.fromEntries(sections) }),
  };
}

const sources = [
  'src/call/options/summarization-options.ts',
  'src/call/options/provider-overrides.ts',
  'src/summaries/llm/llm-writer.ts',
  'src/summaries/rule-based/rule-based-strategy.ts',
  'src/summaries/strategies/summary-strategy.ts',
].map(read);

/** The doc comment of an option: what an editor shows. */
function commentOf(option: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*?)\\*/\\n  readonly ${option}\\?:`);
  const found = sources.map((source) => comment.exec(source)?.[1]).find(Boolean) ?? '';
  return found.replaceAll(/\s*\n?\s+\* ?/g, ' ').trim();
}

function rowOf(option: string): string {
  const comment = commentOf(option);
  const [text = '', ...tags] = comment.split(/ (?=@\w)/);
  const tag = (name: string): string | undefined =>
    tags.find((each) => each.startsWith(`@${name} `))?.slice(name.length + 2);
  // The first sentence, as far as it goes without a semicolon.
  const [meaning = text] = /^.*?[^.](?=;|\. [A-Z`{']|\.$)/.exec(text) ?? [];
  const page = tag('see')?.replace('docs/', '');
  const more = page === undefined ? '' : ` [More](${page}).`;
  const cells = [
    `<a id="${option}"></a>\`${option}\``,
    (tag('default') ?? 'none').replace('undefined (off)', 'off'),
    `${meaning}.${more}`,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

const tables = /(?<=^\| option \| default \| meaning \|\n\|---\|---\|---\|\n)(?:\|.*\n)+/gm;

/** The page with a row for each option, in the groups that it has; one that stands nowhere comes last. */
function withOptions(page: string): string {
  const options = Object.keys(optionRules());
  const grouped = [...page.matchAll(tables)].map(([rows]) =>
    [...rows.matchAll(/^\|[^|]*`(\w+)`/gm)].map(([, name = '']) => name),
  );
  grouped.at(-1)?.push(...options.filter((option) => !grouped.flat().includes(option)));
  const groups = grouped.values();
  return page.replaceAll(tables, () => {
    const { value = [] } = groups.next();
    return value
      .filter((name) => options.includes(name))
      .map((name) => `${rowOf(name)}\n`)
      .join('');
  });
}

describe('what is made of the table of options', () => {
  it.each(Object.entries(defaults).filter(([, value]) => typeof value !== 'object'))(
    'says the default of %s as it is: %j',
    (option, value) => {
      const [, said = ''] = commentOf(option).split(' @default ');
      const shown = typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
      expect(said.replaceAll(/(?<=\d)_(?=\d)/g, '').startsWith(shown)).toBe(true);
    },
  );

  it('has each option that a file can hold', () => {
    const code = ['onBeforeSummarize', 'pin', 'priority', 'redact', 'onEvent', 'fileIdentity'];
    // The secret is no setting, and a conversation's id is its own.
    const given = ['abortSignal', 'summaryTreeStore', 'secret', 'conversationId'];
    const inCode = (name: string): string =>
      name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    const { summarisation, ...others } = settingSections;
    const settings = { ...summarisation?.settings, ...others, prompts: [] };
    const held = Object.keys(settings).map(inCode);
    for (const option of Object.keys(optionRules()).filter(
      (name) => ![...code, ...given].includes(name),
    ))
      expect(held).toContain(option);
  });

  it('is the schema of settings files', () => {
    if (isMaking)
      writeFileSync(at('settings.schema.json'), `${JSON.stringify(schemaOfFile(), null, 2)}\n`);
    expect(JSON.parse(read('settings.schema.json'))).toEqual(schemaOfFile());
  });

  it('is the tables of the documents', () => {
    const made = withOptions(read('docs/tune.md'));
    if (isMaking) writeFileSync(at('docs/tune.md'), made);
    expect(read('docs/tune.md')).toBe(made);
  });
});
