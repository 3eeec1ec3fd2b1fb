import agentMessages from '../../prompts/agent_messages.md' with { type: 'text' };
import toolResults from '../../prompts/tool_results.md' with { type: 'text' };
import userMessages from '../../prompts/user_messages.md' with { type: 'text' };
import { checkPrompts } from './check-prompts.ts';
import { resolveSummaryPrompts } from './resolve-summary-prompts.ts';
import type { ResolvedPrompts, SummarizationPrompts } from './summarization-prompts.ts';

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
