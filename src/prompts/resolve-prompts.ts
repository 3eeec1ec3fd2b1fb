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
import { readTemplate } from './read-template.ts';
import type { ResolvedPrompts, SummarizationPrompts, SummaryPrompts } from './summarization-prompts.ts';

/** The templates that a request for a record may be made of. */
type PromptName = keyof SummaryPrompts | 'toolResults' | 'userMessages' | 'agentMessages';

/**
 * Puts the built-in texts in the place of `'default'`, checks the others, and takes their front matter off.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function resolvePrompts(prompts?: SummarizationPrompts): ResolvedPrompts {
  const { maxSummaryChars } = checkPrompts(prompts);
  const text = (name: PromptName): string => readTemplate(sources[name]).text;
  const sources = sourcesOf(prompts);
  const summary = { system: text('system'), first: text('first'), update: text('update') };
  const whole = typeof prompts?.summary === 'string' && prompts.summary !== 'default';
  const continued = whole ? continuedText(summary.first) : undefined;
  return {
    summary: {
      ...summary,
      update: continued ?? summary.update,
      rebase: continued ?? text('rebase'),
    },
    toolResults: text('toolResults'),
    userMessages: text('userMessages'),
    agentMessages: text('agentMessages'),
    maxSummaryChars,
  };
}

/** What some of the templates of checked prompts say of their version, such as `first@2 system@1`. */
export function promptVersion(
  prompts: SummarizationPrompts | undefined,
  names: readonly PromptName[],
): string | undefined {
  const sources = sourcesOf(prompts);
  const versions = names.flatMap((name) => {
    const { version } = readTemplate(sources[name]);
    return version === undefined ? [] : [`${name}@${version}`];
  });
  return versions.length === 0 ? undefined : versions.join(' ');
}

/** The texts as they were given, with their front matter. */
function sourcesOf(prompts?: SummarizationPrompts): Readonly<Record<PromptName, string>> {
  const { summary = 'default', ...messages } = checkPrompts(prompts);
  const given = typeof summary === 'string' ? { first: summary, update: summary, rebase: summary } : summary;
  const texts = Object.entries({ ...given, ...messages }).filter(
    ([, text]) => text !== undefined && text !== 'default',
  );
  return { ...builtIn, ...Object.fromEntries(texts) };
}

const builtIn: Readonly<Record<PromptName, string>> = {
  system: systemPrompt,
  first: firstPrompt,
  update: updatePrompt,
  rebase: rebasePrompt,
  toolResults,
  userMessages,
  agentMessages,
};

/** A caller's one text, with the previous record above it and what the lists of an update mean below. */
function continuedText(text: string): string {
  if (!variablesOf(text).includes('prior_summary')) {
    return fillTemplate(continuePrompt, { content: text });
  }
  const [, lists = ''] = continuePrompt.split('{content}');
  return text + lists;
}
