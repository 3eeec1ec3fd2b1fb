import agentMessages from '../../../prompts/agent_messages.md' with { type: 'text' };
import toolResults from '../../../prompts/tool_results.md' with { type: 'text' };
import userMessages from '../../../prompts/user_messages.md' with { type: 'text' };
import continuePrompt from '../../../prompts/summarize-continue.md' with { type: 'text' };
import firstPrompt from '../../../prompts/summarize-first.md' with { type: 'text' };
import rebasePrompt from '../../../prompts/summarize-rebase.md' with { type: 'text' };
import systemPrompt from '../../../prompts/summarize-system.md' with { type: 'text' };
import updatePrompt from '../../../prompts/summarize-update.md' with { type: 'text' };
import {
  defaultSummaryChars,
  type ResolvedPrompts,
  type SummarizationPrompts,
  type SummaryPrompts,
} from './summarization-prompts.ts';
import { fillTemplate, variablesOf } from './template.ts';

type PromptName = keyof SummaryPrompts | 'toolResults' | 'userMessages' | 'agentMessages';

/** The package's own texts: files with their names in snake case; those of a record begin with `summarize-`. */
export const builtInPrompts: Readonly<Record<PromptName, string>> = {
  system: systemPrompt,
  first: firstPrompt,
  update: updatePrompt,
  rebase: rebasePrompt,
  toolResults,
  userMessages,
  agentMessages,
};

/** Replaces `'default'` in checked prompts with the built-in texts. */
export function resolvePrompts({
  summary = 'default',
  maxSummaryChars = defaultSummaryChars,
  ...messages
}: SummarizationPrompts = {}): ResolvedPrompts {
  const ofRecord = typeof summary === 'string' ? oneForAll(summary) : summary;
  const own = Object.entries({ ...ofRecord, ...messages }).filter(
    ([, text]) => text !== undefined && text !== 'default',
  );
  const texts: Readonly<Record<PromptName, string>> = {
    ...builtInPrompts,
    ...Object.fromEntries(own),
  };
  const { system, first, update, rebase, ...ofMessages } = texts;
  return { summary: { system, first, update, rebase }, ...ofMessages, maxSummaryChars };
}

/** Makes all templates from a caller's text: those that continue a record have it above, and instructions below. */
function oneForAll(text: string): Partial<SummaryPrompts> {
  if (text === 'default') return {};
  const [, lists = ''] = continuePrompt.split('{content}');
  const continued = variablesOf(text).includes('prior_summary')
    ? text + lists
    : fillTemplate(continuePrompt, { content: text });
  return { first: text, update: continued, rebase: continued };
}
