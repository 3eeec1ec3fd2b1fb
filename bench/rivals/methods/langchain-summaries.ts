import { SimpleChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage, type BaseMessage } from '@langchain/core/messages';
import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { summarizationMiddleware } from 'langchain';
import type { Method } from '../../cache/methods/method.ts';
import { toLangChain } from './trim-messages.ts';

/** `summarizationMiddleware` of LangChain, of which its agents call the hook before each call of the model. */
export const langChainSummaries: Method = {
  name: 'LangChain `summarizationMiddleware` 1.5.14',
  open: ({ model, summarizer, contextLength }) => {
    const middleware = summarizationMiddleware({
      model: new Summarizer(summarizer),
      trigger: { tokens: Math.floor(contextLength * 0.8) },
      keep: { tokens: Math.floor(contextLength * 0.3) },
    });
    // As a thread of LangChain keeps it: the messages, which a summary replaces.
    let thread: BaseMessage[] = [];
    let known = 0;
    return {
      ...model,
      doGenerate: async (options) => {
        const [system, ...messages] = options.prompt;
        thread.push(
          ...messages.slice(known).map((message, index) => toLangChain(message, known + index)),
        );
        known = messages.length;
        const changed = await middleware.beforeModel({ messages: thread }, { context: {} });
        // The first one says that all before are replaced.
        if (changed !== undefined) thread = changed.messages.slice(1);
        const prompt: LanguageModelV4Prompt = system === undefined ? [] : [system];
        for (const message of thread) {
          const isSummary =
            message instanceof HumanMessage && message.additional_kwargs['lc_source'] !== undefined;
          const original = messages[Number(message.id)];
          if (isSummary)
            prompt.push({ role: 'user', content: [{ type: 'text', text: message.text }] });
          else if (original !== undefined) prompt.push(original);
        }
        return model.doGenerate({ ...options, prompt });
      },
    };
  },
};

/** The summarizer of the benchmark, as a chat model of LangChain. */
class Summarizer extends SimpleChatModel {
  readonly #model: LanguageModelV4;

  constructor(model: LanguageModelV4) {
    super({});
    this.#model = model;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override async _call(messages: BaseMessage[]): Promise<string> {
    const text = messages.map((message) => message.text).join('\n');
    const prompt: LanguageModelV4Prompt = [{ role: 'user', content: [{ type: 'text', text }] }];
    const { content } = await this.#model.doGenerate({ prompt });
    return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }
}
