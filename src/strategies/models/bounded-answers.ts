import type { LanguageModel, LanguageModelMiddleware, wrapLanguageModel } from 'ai';

/**
 * Characters of an answer that are read: of a summary of the largest budget, some 100,000 tokens. The
 * SDK parses the whole at once, and two megabytes of brackets take a fifth of a second.
 */
const maxAnswerCharacters = 400_000;

const cutText: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: async ({ doGenerate }) => {
    const result = await doGenerate();
    let left = maxAnswerCharacters;
    const content = result.content.map((part) => {
      if (part.type !== 'text' || typeof part.text !== 'string') return part;
      const text = part.text.slice(0, left);
      left -= text.length;
      return text.length === part.text.length ? part : { ...part, text };
    });
    return { ...result, content };
  },
};

/**
 * The same model, of whose answers the first 400,000 characters are read.
 *
 * @param wrap - The SDK's `wrapLanguageModel`, which is loaded where a model is called.
 */
export function withBoundedAnswers(
  model: LanguageModel,
  wrap: typeof wrapLanguageModel,
): LanguageModel {
  return typeof model === 'string' ? model : wrap({ model, middleware: cutText });
}
