import * as ai from 'ai';

/** The part of the AI SDK that the package uses. */
export type SDK = Pick<
  typeof ai,
  'gateway' | 'generateObject' | 'generateText' | 'jsonSchema' | 'wrapLanguageModel'
> &
  Partial<Pick<typeof ai, 'isStepCount'>>;

/** The used part of the AI SDK. A bundler keeps only this part, but all of a module that is imported dynamically. */
export const sdk: SDK = {
  gateway: ai.gateway,
  generateObject: ai.generateObject,
  generateText: ai.generateText,
  jsonSchema: ai.jsonSchema,
  wrapLanguageModel: ai.wrapLanguageModel,
  // AI SDK 6 has no `isStepCount`.
  isStepCount: ai.isStepCount,
};
