import { checkInput, checkObject } from '../checks/check-object.ts';
import { anyObject, anyString, type OptionRule } from '../checks/option-rule.ts';
import type { TemplateVariable } from '../prompts/fill-template.ts';
import { readTemplate } from '../prompts/read-template.ts';
import type { LevelPrompts } from '../strategies/levels/summarize-options.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { templateFolders, templateRules, type TemplateFolderOptions } from './template-folders.ts';
import { emitWarning, givenTemplate, namedTemplate, type OnWarning } from './template-source.ts';

/** Options of {@link loadLevelTemplates}. */
export interface LoadLevelTemplatesOptions extends TemplateFolderOptions {
  /**
   * As `summarize` takes them, except that a text may also be the path of a file.
   * @default {}
   */
  readonly prompts?: Partial<LevelPrompts> | undefined;
  /**
   * Told about each file that could not be used.
   * @default process.emitWarning
   */
  readonly onWarning?: OnWarning | undefined;
}

/** What each template holds exactly once, and the content type that it is for. */
const templates: Readonly<
  Record<keyof LevelPrompts, { readonly required: TemplateVariable; readonly type?: string }>
> = {
  brief: { required: 'content' },
  standard: { required: 'content', type: 'general' },
  chunk: { required: 'content', type: 'general' },
  conversation: { required: 'content', type: 'conversation' },
  journal: { required: 'content', type: 'journal' },
  document: { required: 'content', type: 'document' },
  meta: { required: 'summaries' },
};

const rules: Readonly<Record<string, OptionRule>> = Object.fromEntries(
  Object.keys(templates).map((name) => [name, anyString]),
);

/** Configurations whose templates are kept; a process has a few. */
const maxKept = 64;

const kept = boundedMap<Partial<LevelPrompts>>(maxKept);

/**
 * Reads the templates of `summarize` from files, for its option `prompts`, in the folders of
 * `loadPromptTemplates` and by its rules: `brief.md`, `standard.md`, `chunk.md`, `meta.md`, `conversation.md`,
 * `journal.md` and `document.md`. A file whose front matter has `content_types` without the type that its name
 * stands for (`general` for `standard` and `chunk`) is passed over with a warning.
 *
 * Files are read once for each configuration, and again only when that changes.
 *
 * @throws {SummarizationOptionError} for a name nobody knows.
 *
 * @example
 * ```ts
 * await summarize(report, { model: openai('gpt-5-mini'), prompts: loadLevelTemplates() });
 * ```
 */
export function loadLevelTemplates(options: LoadLevelTemplatesOptions = {}): Partial<LevelPrompts> {
  checkInput(options, 'prompts, or nothing');
  checkObject(options, { prompts: anyObject(), ...templateRules }, '');
  const { prompts = {}, onWarning = emitWarning } = options;
  checkObject(prompts, rules, 'prompts.');
  const folders = templateFolders(options);
  const key = JSON.stringify([prompts, folders]);
  const given = new Map(Object.entries(prompts));
  const load = (): Partial<LevelPrompts> => {
    const found = Object.entries(templates).flatMap(([name, { required, type }]): unknown[][] => {
      const request = {
        option: `prompts.${name}`,
        required: [required],
        folders,
        onWarning,
        refuses: (text: string) => foreignType(text, type),
      };
      const text =
        givenTemplate(given.get(name) ?? 'default', request) ??
        namedTemplate(`${name}.md`, request);
      return text === undefined ? [] : [[name, text]];
    });
    return Object.freeze(Object.fromEntries(found));
  };
  const loaded = kept.get(key) ?? load();
  kept.set(key, loaded);
  return loaded;
}

function foreignType(text: string, type: string | undefined): string | undefined {
  const { contentTypes } = readTemplate(text);
  if (type === undefined || contentTypes === undefined || contentTypes.includes(type))
    return undefined;
  return `its content_types do not name ${type}`;
}
