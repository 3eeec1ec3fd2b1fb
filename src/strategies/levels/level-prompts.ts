import brief from '../../../prompts/brief.md' with { type: 'text' };
import chunk from '../../../prompts/chunk.md' with { type: 'text' };
import conversation from '../../../prompts/conversation.md' with { type: 'text' };
import document from '../../../prompts/document.md' with { type: 'text' };
import journal from '../../../prompts/journal.md' with { type: 'text' };
import meta from '../../../prompts/meta.md' with { type: 'text' };
import standard from '../../../prompts/standard.md' with { type: 'text' };
import { checkObject } from '../../checks/check-object.ts';
import { anyString, type OptionRule } from '../../checks/option-rule.ts';
import { checkTemplate } from '../../prompts/check-template.ts';
import { readTemplate } from '../../prompts/read-template.ts';

/** What kind of text is summarised. */
export type ContentType = 'general' | 'conversation' | 'journal' | 'document';

/**
 * The texts a model is asked with for each kind of summary. Named as the files in `prompts`; `'default'` is the
 * text of that file. The variable named with each stands in it exactly once; `{context}`, `{max_chars}` and
 * `{prior_summary}` may: without the last one the model is not shown what came before. Values are JSON.
 */
export interface LevelPrompts {
  /** One sentence: `{content}`. */
  readonly brief: string;
  /** A text read at once, or a chunk of one, by content type: `{content}`. */
  readonly standard: string;
  readonly conversation: string;
  readonly journal: string;
  readonly document: string;
  /** One chunk of a text of type `general`: `{content}`, `{chunk_index}`, `{total_chunks}`. */
  readonly chunk: string;
  /** Merges summaries: `{summaries}`, `{total_chunks}`. */
  readonly meta: string;
}

const levelTexts: LevelPrompts = { brief, standard, conversation, journal, document, chunk, meta };

const levelRules: Readonly<Record<string, OptionRule>> = Object.fromEntries(
  Object.keys(levelTexts).map((name) => [name, anyString]),
);

/**
 * Puts the built-in texts in the place of those not given.
 *
 * @throws SummarizationOptionError for a name nobody knows or a text without its variable.
 */
export function resolveLevelPrompts(given: Partial<LevelPrompts> = {}): LevelPrompts {
  checkObject(given, levelRules, 'prompts.');
  const texts = Object.entries(given).filter(
    ([, text]) => text !== undefined && text !== 'default',
  );
  for (const [name, text] of texts)
    checkTemplate(text, {
      option: `prompts.${name}`,
      required: [name === 'meta' ? 'summaries' : 'content'],
      optional: ['context', 'max_chars', 'prior_summary', 'chunk_index', 'total_chunks'],
    });
  const sources: LevelPrompts = { ...levelTexts, ...Object.fromEntries(texts) };
  const bare = Object.entries<string>({ ...sources }).map(([name, text]): unknown[] => [
    name,
    readTemplate(text).text,
  ]);
  return Object.fromEntries(bare);
}

/** The text that asks for the summary of a whole text of a type, or of its chunks. */
export function promptFor(
  prompts: LevelPrompts,
  type: ContentType,
  whole: 'brief' | 'standard' | 'chunk',
): string {
  // One sentence is the same of everything.
  return type === 'general' || whole === 'brief' ? prompts[whole] : prompts[type];
}
