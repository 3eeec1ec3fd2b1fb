import type { TemplateVariable } from '../prompts/fill-template.ts';
import { checkInput, checkObject } from '../checks/check-object.ts';
import { anyObject } from '../checks/option-rule.ts';
import type { SummarizationPrompts, SummaryPrompts } from '../prompts/summarization-prompts.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { templateFolders, templateRules, type TemplateFolderOptions } from './template-folders.ts';
import {
  emitWarning,
  givenTemplate,
  namedTemplate,
  type OnWarning,
  type TemplateRequest,
} from './template-source.ts';

/** Options of {@link loadPromptTemplates}. */
export interface LoadPromptTemplatesOptions extends TemplateFolderOptions {
  /**
   * As the middleware takes them, except that a text may also be the path of a file.
   * @default {}
   */
  readonly prompts?: SummarizationPrompts | undefined;
  /**
   * Told about each file that could not be used.
   * @default process.emitWarning
   */
  readonly onWarning?: OnWarning | undefined;
}

/** Configurations whose templates are kept; a process has a few. */
const maxKept = 64;

const kept = boundedMap<SummarizationPrompts>(maxKept);

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
  checkInput(options, 'prompts, or nothing');
  checkObject(options, { prompts: anyObject(), ...templateRules }, '');
  const { prompts = {}, onWarning = emitWarning } = options;
  const folders = templateFolders(options);
  const key = JSON.stringify([prompts, folders]);
  const loaded = kept.get(key) ?? loadPrompts(prompts, { folders, onWarning });
  kept.set(key, loaded);
  return loaded;
}

type Source = Pick<TemplateRequest, 'folders' | 'onWarning'>;

function loadPrompts(prompts: SummarizationPrompts, source: Source): SummarizationPrompts {
  const message = <Template extends object>(
    name: string,
    fileName: string,
    value: string | Template = 'default',
  ): string | Template => {
    // What is no text is used or refused by the middleware.
    if (typeof value !== 'string') return value;
    const request = { ...source, option: `prompts.${name}`, required: ['content'] } as const;
    return givenTemplate(value, request) ?? namedTemplate(fileName, request) ?? 'default';
  };
  return Object.freeze({
    ...prompts,
    summary: loadSummary(prompts.summary, source),
    toolResults: message('toolResults', 'tool_results.md', prompts.toolResults),
    userMessages: message('userMessages', 'user_messages.md', prompts.userMessages),
    agentMessages: message('agentMessages', 'agent_messages.md', prompts.agentMessages),
  });
}

const summaryVariables: Readonly<Record<keyof SummaryPrompts, readonly TemplateVariable[]>> = {
  system: [],
  first: ['content'],
  update: ['content', 'prior_summary'],
  rebase: ['content', 'prior_summary'],
};

function loadSummary(
  summary: SummarizationPrompts['summary'] = 'default',
  source: Source,
): SummarizationPrompts['summary'] {
  if (typeof summary === 'string') {
    const request = { ...source, option: 'prompts.summary', required: ['content'] } as const;
    const given = givenTemplate(summary, request);
    if (given !== undefined) return given;
  }
  const texts = Object.entries(typeof summary === 'string' ? {} : summary);
  const found = Object.entries(summaryVariables).map(([name, required]) => {
    const request = { ...source, option: `prompts.summary.${name}`, required };
    const value = texts.find(([key]) => key === name)?.[1] ?? 'default';
    if (typeof value !== 'string') return [name, value];
    return [name, givenTemplate(value, request) ?? namedTemplate(`summarize-${name}.md`, request)];
  });
  const loaded = [...texts, ...found].filter(([, text]) => text !== undefined);
  return loaded.length === 0 ? 'default' : Object.fromEntries(loaded);
}
