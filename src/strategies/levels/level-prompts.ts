import brief from '../../../prompts/brief.md' with { type: 'text' };
import chunk from '../../../prompts/chunk.md' with { type: 'text' };
import conversation from '../../../prompts/conversation.md' with { type: 'text' };
import document from '../../../prompts/document.md' with { type: 'text' };
import journal from '../../../prompts/journal.md' with { type: 'text' };
import meta from '../../../prompts/meta.md' with { type: 'text' };
import standard from '../../../prompts/standard.md' with { type: 'text' };
import type { LevelPrompts } from './summarize-options.ts';

/** The package's own texts of `summarize`, each the file of its name in `prompts`. */
export const levelPrompts: LevelPrompts = {
  brief,
  standard,
  conversation,
  journal,
  document,
  chunk,
  meta,
};
