import agentMessages from '../../prompts/agent_messages.md' with { type: 'text' };
import toolResults from '../../prompts/tool_results.md' with { type: 'text' };
import userMessages from '../../prompts/user_messages.md' with { type: 'text' };
import continuePrompt from '../../prompts/summarize-continue.md' with { type: 'text' };
import firstPrompt from '../../prompts/summarize-first.md' with { type: 'text' };
import rebasePrompt from '../../prompts/summarize-rebase.md' with { type: 'text' };
import systemPrompt from '../../prompts/summarize-system.md' with { type: 'text' };
import updatePrompt from '../../prompts/summarize-update.md' with { type: 'text' };
import {
  defaultSummaryChars,
  type ResolvedPrompts,
  type SummarizationPrompts,
  type SummaryPrompts,
} from './summarization-prompts.ts';
import { fillTemplate, readTemplate, variablesOf } from './template.ts';

type PromptName = keyof SummaryPrompts | 'toolResults' | 'userMessages' | 'agentMessages';

/** The package's own texts: files of their names in snake case, those of a record behind `summarize-`. */
export const builtIn: Readonly<Record<PromptName, string>> = {
  system: systemPrompt,
  first: firstPrompt,
  update: updatePrompt,
  rebase: rebasePrompt,
  toolResults,
  userMessages,
  agentMessages,
};

/** Puts the built-in texts in the place of `'default'` in checked prompts, and takes their front matter off. */
export function resolvePrompts({
  summary = 'default',
  maxSummaryChars = defaultSummaryChars,
  ...messages
}: SummarizationPrompts = {}): ResolvedPrompts {
  const isOne = typeof summary === 'string';
  const given = isOne ? { first: summary, update: summary, rebase: summary } : summary;
  const own = Object.entries({ ...given, ...messages }).filter(
    ([, text]) => text !== undefined && text !== 'default',
  );
  const sources: Readonly<Record<PromptName, string>> = { ...builtIn, ...Object.fromEntries(own) };
  const parts = Object.entries(sources).map(([name, source]) => [name, readTemplate(source)] as const);
  const texts: Readonly<Record<PromptName, string>> = {
    ...builtIn,
    ...Object.fromEntries(parts.map(([name, { text }]) => [name, text])),
  };
  const { system, first, update, rebase, ...others } = texts;
  const continued = isOne && summary !== 'default' ? continuedText(first) : undefined;
  return {
    summary: { system, first, update: continued ?? update, rebase: continued ?? rebase },
    ...others,
    maxSummaryChars,
    versions: Object.fromEntries(
      parts.flatMap(([name, { version }]) => (version ? [[name, `${name}@${version}`]] : [])),
    ),
  };
}

/** A caller's one text, with the previous record above it and what the lists of an update mean below. */
function continuedText(text: string): string {
  if (!variablesOf(text).includes('prior_summary'))
    return fillTemplate(continuePrompt, { content: text });
  const [, lists = ''] = continuePrompt.split('{content}');
  return text + lists;
}
