import languagePrompt from '../../../prompts/summarize-language.md' with { type: 'text' };
import { SummarizationError } from '../../errors/summarization-error.ts';
import { escapeJson } from '../../json/escape-json.ts';
import { fillTemplate } from '../../prompts/fill-template.ts';
import { languageIn } from '../grounding/grounding-index.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import type { SummaryAnswer } from '../models/summary-answer.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import { scriptsOf, scriptsWritten } from '../user-words/scripts.ts';

/**
 * Asks for a summary, and once more where its narrative is written in another script than the user writes, which only
 * code can see. Where the second answer is, or there is none, the first one counts: facts in another language are
 * better than none. Another language of the same script is told to the log.
 *
 * @param ask - Asks a model; `note` stands behind the request.
 * @throws What `ask` throws the first time; the reason of an abort.
 */
export async function askInScript(
  ask: (note: string) => Promise<SummaryAnswer>,
  { previous, log, abortSignal }: SummaryInput,
  parts: readonly TranscriptPart[],
): Promise<SummaryAnswer> {
  const answer = await ask('');
  const said = parts.filter(({ role, kind }) => role === 'user' && kind === 'text');
  const texts = [...(previous?.context.openRequests ?? []), ...said.map(({ text }) => text)];
  const wanted = scriptsWritten(texts);
  if (isIn(wanted, answer)) {
    if (isOtherLanguage(answer.summary, texts))
      log?.('The summary seems to be in another language than the user writes.');
    return answer;
  }
  log?.(`The summary is not written in the script of the user, ${[...wanted].join(' or ')}.`);
  try {
    const again = await ask(
      `\n${fillTemplate(languagePrompt, { content: escapeJson([...wanted]) })}`,
    );
    return isIn(wanted, again) ? again : answer;
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (!SummarizationError.isInstance(error)) throw error;
    return answer;
  }
}

function isIn(wanted: ReadonlySet<string>, { summary }: SummaryAnswer): boolean {
  const written = scriptsOf(summary);
  return wanted.size === 0 || written.length === 0 || written.some((name) => wanted.has(name));
}

/** Newest texts, and characters of each, by which a language is told. */
const mostTexts = 50;
const languageCharacters = 1000;

function isOtherLanguage(summary: string, texts: readonly string[]): boolean {
  const [language, ...spoken] = [summary, ...texts.slice(-mostTexts)].map((text) =>
    languageIn(text.slice(0, languageCharacters)),
  );
  const known = spoken.filter((each) => each !== undefined);
  return language !== undefined && known.length > 0 && !known.includes(language);
}
