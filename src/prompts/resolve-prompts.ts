import agentMessages from '../../prompts/agent_messages.md' with { type: 'text' };
import toolResults from '../../prompts/tool_results.md' with { type: 'text' };
import userMessages from '../../prompts/user_messages.md' with { type: 'text' };
import continuePrompt from '../../prompts/summarize-continue.md' with { type: 'text' };
import firstPrompt from '../../prompts/summarize-first.md' with { type: 'text' };
import rebasePrompt from '../../prompts/summarize-rebase.md' with { type: 'text' };
import systemPrompt from '../../prompts/summarize-system.md' with { type: 'text' };
import updatePrompt from '../../prompts/summarize-update.md' with { type: 'text' };
import { checkPrompts } from './check-prompts.ts';
import { fillTemplate, variablesOf } from './fill-template.ts';
import type { ResolvedPrompts, SummarizationPrompts, SummaryPrompts } from './summarization-prompts.ts';

const builtInSummary: SummaryPrompts = {
  system: systemPrompt,
  first: firstPrompt,
  update: updatePrompt,
  rebase: rebasePrompt,
};

/**
 * Puts the built-in texts in the place of `'default'` and checks the others.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function resolvePrompts(prompts?: SummarizationPrompts): ResolvedPrompts {
  const given = checkPrompts(prompts);
  return {
    summary: resolveSummaryPrompts(given.summary),
    toolResults: given.toolResults ?? toolResults,
    userMessages: given.userMessages ?? userMessages,
    agentMessages: given.agentMessages ?? agentMessages,
    maxSummaryChars: given.maxSummaryChars,
  };
}

function resolveSummaryPrompts(
  given: SummarizationPrompts['summary'] = 'default',
): SummaryPrompts {
  if (given === 'default') return builtInSummary;
  if (typeof given === 'string') {
    const continued = continuedText(given);
    return { ...builtInSummary, first: given, update: continued, rebase: continued };
  }
  const texts = Object.entries(given).filter(
    ([, text]) => text !== undefined && text !== 'default',
  );
  return { ...builtInSummary, ...Object.fromEntries(texts) };
}

/** A caller's one text, with the previous record above it and what the lists of an update mean below. */
function continuedText(text: string): string {
  if (!variablesOf(text).includes('prior_summary')) {
    return fillTemplate(continuePrompt, { content: text });
  }
  const [, lists = ''] = continuePrompt.split('{content}');
  return text + lists;
}
