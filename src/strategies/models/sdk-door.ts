import * as ai from 'ai';

/** What the package asks of the AI SDK. */
export type SDK = Pick<
  typeof ai,
  'gateway' | 'generateObject' | 'generateText' | 'jsonSchema' | 'wrapLanguageModel'
> &
  Partial<Pick<typeof ai, 'isStepCount'>>;

/** The AI SDK as far as it is asked. A bundler keeps this alone; of a whole module that is imported late it keeps all. */
export const sdk: SDK = {
  gateway: ai.gateway,
  generateObject: ai.generateObject,
  generateText: ai.generateText,
  jsonSchema: ai.jsonSchema,
  wrapLanguageModel: ai.wrapLanguageModel,
  // In AI SDK 6 there is none.
  isStepCount: ai.isStepCount,
};
