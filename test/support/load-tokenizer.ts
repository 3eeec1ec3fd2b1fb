import { countPromptTokens } from '../../src/index.ts';
import { chatModel } from './models.ts';

/** Has the tokenizer loaded, which is done when something is counted for the first time. */
export async function loadTokenizer(): Promise<void> {
  await countPromptTokens({
    model: chatModel(),
    messages: [{ role: 'system', content: 'A word.' }],
  });
}
