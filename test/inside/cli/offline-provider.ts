import type { LanguageModelV4, ProviderV4 } from '@ai-sdk/provider';
import { chatPersona } from '../../../examples/next-app/embedded-model/chat-persona.ts';
import { embeddedModel } from '../../../examples/next-app/embedded-model/embedded-model.ts';

/** The models of this provider that were asked, and what they do instead of their work; reset by each test. */
export const watched: { asked: string[]; fault?: (() => void) | undefined } = { asked: [] };

/** Offline models: `chat-<tokens>` refuses what is longer. @public */
export const offline: Pick<ProviderV4, 'languageModel'> = { languageModel: chat };

function chat(name: string): LanguageModelV4 {
  const model = embeddedModel(Number(/\d+/.exec(name)?.[0]), { persona: chatPersona });
  const begin = (): void => {
    watched.asked.push(name);
    watched.fault?.();
  };
  return {
    ...model,
    doGenerate: async (options) => {
      begin();
      return model.doGenerate(options);
    },
    doStream: async (options) => {
      begin();
      return model.doStream(options);
    },
  };
}
