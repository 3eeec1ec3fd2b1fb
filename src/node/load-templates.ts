import { checked, checkInput } from '../checks/check-object.ts';
import { anyObject, anyString, optionsOf } from '../checks/option-rule.ts';
import type { TemplateVariable } from '../prompts/fill-template.ts';
import { readTemplate } from '../prompts/read-template.ts';
import type { SummarizationPrompts, SummaryPrompts } from '../prompts/summarization-prompts.ts';
import type { LevelPrompts } from '../strategies/levels/summarize-options.ts';
import { boundedMap, type BoundedMap } from '../util/maps/bounded-map.ts';
import {
  emitWarning,
  folderRules,
  templateFolders,
  templateOf,
  type OnWarning,
  type TemplateFolderOptions,
  type TemplateRequest,
} from './template-files.ts';

interface TemplateOptions<Prompts> extends TemplateFolderOptions {
  /**
   * As the middleware or `summarize` takes them, except that a text may also be the path of a file.
   * @default {}
   */
  readonly prompts?: Prompts | undefined;
  /**
   * Told about each file that could not be used.
   * @default process.emitWarning
   */
  readonly onWarning?: OnWarning | undefined;
}

/** Options of {@link loadPromptTemplates}. */
export interface LoadPromptTemplatesOptions extends TemplateOptions<SummarizationPrompts> {}

/** Options of {@link loadLevelTemplates}. */
export interface LoadLevelTemplatesOptions extends TemplateOptions<Partial<LevelPrompts>> {}

type Source = Pick<TemplateRequest, 'folders' | 'onWarning'>;

/** Reads templates once for each configuration, of which a process has a few. */
function keptIn<Prompts extends object>(
  kept: BoundedMap<Prompts>,
  options: TemplateOptions<Prompts>,
  load: (source: Source) => Prompts,
): Prompts {
  const { prompts = {}, onWarning = emitWarning } = options;
  const folders = templateFolders(options);
  const key = JSON.stringify([prompts, folders]);
  const loaded = kept.get(key) ?? Object.freeze(load({ folders, onWarning }));
  kept.set(key, loaded);
  return loaded;
}

function checkOptions(options: object): void {
  checkInput(options, 'prompts, or nothing', { prompts: anyObject(), ...folderRules });
}

const keptPrompts = boundedMap<SummarizationPrompts>(64);

/**
 * Reads prompt templates from files, for the option `prompts` of `summarizationMiddleware`. `'default'`
 * is the file of that name in the project's `.ai-sdk-summarization/prompts`, else in the one of the
 * user's home, else the built-in text: `tool_results.md`, `user_messages.md`, `agent_messages.md`, and
 * for the summary `summarize-system.md`, `summarize-first.md`, `summarize-update.md` and
 * `summarize-rebase.md`. A path is looked for in the same folders and cannot leave them; anything else
 * is the template itself. A file that is missing, larger than 256 KB, not UTF-8 or without its variables
 * is passed over with a warning.
 *
 * Files are read once for each configuration, and again only when that changes.
 *
 * @example
 * ```ts
 * summarizationMiddleware({
 *   prompts: loadPromptTemplates({ prompts: { summary: 'summary-for-support.md' } }),
 * });
 * ```
 */
export function loadPromptTemplates(
  options: LoadPromptTemplatesOptions = {},
): SummarizationPrompts {
  checkOptions(options);
  const { prompts = {} } = options;
  return keptIn(keptPrompts, options, (source) => {
    const message = <Template extends object>(
      name: string,
      fileName: string,
      value: string | Template = 'default',
    ): string | Template => {
      // What is no text is used or refused by the middleware.
      if (typeof value !== 'string') return value;
      const request = { ...source, option: `prompts.${name}`, required: ['content'] } as const;
      return templateOf(value, fileName, request) ?? 'default';
    };
    return {
      ...prompts,
      summary: summaryOf(prompts.summary, source),
      toolResults: message('toolResults', 'tool_results.md', prompts.toolResults),
      userMessages: message('userMessages', 'user_messages.md', prompts.userMessages),
      agentMessages: message('agentMessages', 'agent_messages.md', prompts.agentMessages),
    };
  });
}

const summaryVariables: Readonly<Record<keyof SummaryPrompts, readonly TemplateVariable[]>> = {
  system: [],
  first: ['content'],
  update: ['content', 'prior_summary'],
  rebase: ['content', 'prior_summary'],
};

function summaryOf(
  summary: SummarizationPrompts['summary'] = 'default',
  source: Source,
): SummarizationPrompts['summary'] {
  if (typeof summary === 'string') {
    const request = { ...source, option: 'prompts.summary', required: ['content'] } as const;
    const given = templateOf(summary, undefined, request);
    if (given !== undefined) return given;
  }
  const texts = Object.entries(typeof summary === 'string' ? {} : summary);
  const found = Object.entries(summaryVariables).map(([name, required]) => {
    const request = { ...source, option: `prompts.summary.${name}`, required };
    const value: unknown = texts.find(([key]) => key === name)?.[1] ?? 'default';
    if (typeof value !== 'string') return [name, value];
    return [name, templateOf(value, `summarize-${name}.md`, request)];
  });
  const loaded = [...texts, ...found].filter(([, text]) => text !== undefined);
  return loaded.length === 0 ? 'default' : Object.fromEntries(loaded);
}

/** The content type that each template is for; `meta` holds summaries, the others the content. */
const levelTypes: Readonly<Record<keyof LevelPrompts, string | undefined>> = {
  brief: undefined,
  standard: 'general',
  chunk: 'general',
  conversation: 'conversation',
  journal: 'journal',
  document: 'document',
  meta: undefined,
};

const levelRules = Object.fromEntries(Object.keys(levelTypes).map((name) => [name, anyString]));

const keptLevels = boundedMap<Partial<LevelPrompts>>(64);

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
  checkOptions(options);
  const { prompts = {} } = options;
  checked(optionsOf(levelRules), prompts, 'prompts', 'prompts.');
  const given = new Map(Object.entries(prompts));
  return keptIn(keptLevels, options, (source) => {
    const found = Object.entries(levelTypes).map(([name, type]): unknown[] => {
      const required: readonly TemplateVariable[] = [name === 'meta' ? 'summaries' : 'content'];
      const refuses = (text: string): string | undefined => {
        const { contentTypes = [type] } = readTemplate(text);
        const isMeant = type === undefined || contentTypes.includes(type);
        return isMeant ? undefined : `its content_types do not name ${type}`;
      };
      const request = { ...source, option: `prompts.${name}`, required, refuses };
      return [name, templateOf(given.get(name) ?? 'default', `${name}.md`, request)];
    });
    return Object.fromEntries(found.filter(([, text]) => text !== undefined));
  });
}
