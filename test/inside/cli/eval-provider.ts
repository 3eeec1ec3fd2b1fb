import type { LanguageModelV4, LanguageModelV4CallOptions, ProviderV4 } from '@ai-sdk/provider';
import { chatPersona } from '../../../examples/next-app/embedded-model/chat-persona.ts';
import { embeddedModel } from '../../../examples/next-app/embedded-model/embedded-model.ts';
import { summarizerModel } from '../../support/models.ts';

/** What the models of this provider were asked, by their names; emptied by each test. */
export const asked: { model: string; text: string }[] = [];

/** What a model does instead of its work, call by call; a faulty one throws. */
export const behaviour: { judge?: (given: string) => string; fault?: (() => void) | undefined } =
  {};

/** Calls under way, and the most there were at once. */
export const atOnce = { now: 0, most: 0 };

/** Offline models: `chat-<tokens>` that refuses what is longer, and a judge that looks for the reference. @public */
export const offline: Pick<ProviderV4, 'languageModel'> = {
  languageModel: (name) => (name === 'judge' ? judge() : chat(name)),
};

function chat(name: string): LanguageModelV4 {
  const model = embeddedModel(Number(/\d+/.exec(name)?.[0]), { persona: chatPersona });
  const watched =
    <Answer>(answer: (options: LanguageModelV4CallOptions) => PromiseLike<Answer>) =>
    async (options: LanguageModelV4CallOptions): Promise<Answer> => {
      asked.push({ model: name, text: JSON.stringify(options.prompt) });
      atOnce.now += 1;
      atOnce.most = Math.max(atOnce.most, atOnce.now);
      try {
        behaviour.fault?.();
        // Others have their turn, as while a server answers.
        await new Promise(setImmediate);
        return await answer(options);
      } finally {
        atOnce.now -= 1;
      }
    };
  return {
    ...model,
    doGenerate: watched((options) => model.doGenerate(options)),
    doStream: watched((options) => model.doStream(options)),
  };
}

function judge(): LanguageModelV4 {
  return summarizerModel(({ prompt }) => {
    const content = prompt.at(-1)?.content;
    const [part] = Array.isArray(content) ? content : [];
    const given = part?.type === 'text' ? part.text : '';
    asked.push({ model: 'judge', text: given });
    return behaviour.judge?.(given) ?? lookedUp(given);
  });
}

function lookedUp(given: string): string {
  const { answer, reference } = JSON.parse(given);
  return JSON.stringify({ verdict: answer.includes(reference) ? 'yes' : 'no' });
}
