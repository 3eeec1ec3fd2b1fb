import agentPrompt from '../../../prompts/agent_messages.md' with { type: 'text' };
import toolPrompt from '../../../prompts/tool_results.md' with { type: 'text' };
import userPrompt from '../../../prompts/user_messages.md' with { type: 'text' };
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
  toolResults: toolPrompt,
  userMessages: userPrompt,
  agentMessages: agentPrompt,
};

/** Replaces `'default'` in checked prompts with the built-in texts. */
export function resolvePrompts({
  summary = 'default',
  maxSummaryChars = defaultSummaryChars,
  toolResults,
  userMessages,
  agentMessages,
}: SummarizationPrompts = {}): ResolvedPrompts {
  const ofRecord = typeof summary === 'string' ? oneForAll(summary) : summary;
  const all = { ...ofRecord, toolResults, userMessages, agentMessages };
  const own = Object.entries(all).filter(([, text]) => text !== undefined && text !== 'default');
  const texts: Readonly<Record<PromptName, string>> = {
    ...builtInPrompts,
    ...Object.fromEntries(own),
  };
  const { system, first, update, rebase, ...ofMessages } = texts;
  return { summary: { system, first, update, rebase }, ...ofMessages, maxSummaryChars };
}

/** Names the templates whose texts differ, such as `summary.first`. */
export function changedTemplates(before: ResolvedPrompts, now: ResolvedPrompts): readonly string[] {
  const former = textsByName(before);
  return Object.entries(textsByName(now)).flatMap(([name, text]) =>
    former[name] === text ? [] : [name],
  );
}

function textsByName(prompts: ResolvedPrompts): Readonly<Record<string, string>> {
  const { summary, toolResults, userMessages, agentMessages } = prompts;
  const ofRecord = Object.entries(summary).map(([name, text]) => [`summary.${name}`, text]);
  return { ...Object.fromEntries(ofRecord), toolResults, userMessages, agentMessages };
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
