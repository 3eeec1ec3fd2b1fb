import agentMessages from '../../prompts/agent_messages.md' with { type: 'text' };
import toolResults from '../../prompts/tool_results.md' with { type: 'text' };
import userMessages from '../../prompts/user_messages.md' with { type: 'text' };
import continuePrompt from '../../prompts/summarize-continue.md' with { type: 'text' };
import firstPrompt from '../../prompts/summarize-first.md' with { type: 'text' };
import rebasePrompt from '../../prompts/summarize-rebase.md' with { type: 'text' };
import systemPrompt from '../../prompts/summarize-system.md' with { type: 'text' };
import updatePrompt from '../../prompts/summarize-update.md' with { type: 'text' };
import { fillTemplate, variablesOf } from './fill-template.ts';
import { readTemplate } from './read-template.ts';
import {
  defaultSummaryChars,
  type ResolvedPrompts,
  type SummarizationPrompts,
  type SummaryPrompts,
} from './summarization-prompts.ts';

/** The templates that a request for a record may be made of. */
type PromptName = keyof SummaryPrompts | 'toolResults' | 'userMessages' | 'agentMessages';

/** Puts the built-in texts in the place of `'default'` in checked prompts, and takes their front matter off. */
export function resolvePrompts(prompts: SummarizationPrompts = {}): ResolvedPrompts {
  const sources = sourcesOf(prompts);
  const text = (name: PromptName): string => readTemplate(sources[name]).text;
  const first = text('first');
  const whole = typeof prompts.summary === 'string' && prompts.summary !== 'default';
  const continued = whole ? continuedText(first) : undefined;
  return {
    summary: {
      system: text('system'),
      first,
      update: continued ?? text('update'),
      rebase: continued ?? text('rebase'),
    },
    toolResults: text('toolResults'),
    userMessages: text('userMessages'),
    agentMessages: text('agentMessages'),
    maxSummaryChars: prompts.maxSummaryChars ?? defaultSummaryChars,
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
function sourcesOf({
  summary = 'default',
  maxSummaryChars: _size,
  ...messages
}: SummarizationPrompts = {}): Readonly<Record<PromptName, string>> {
  const given =
    typeof summary === 'string' ? { first: summary, update: summary, rebase: summary } : summary;
  const texts = Object.entries({ ...given, ...messages })
    .map(([name, template]) => [name, typeof template === 'object' ? template.text : template])
    .filter(([, text]) => text !== undefined && text !== 'default');
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
