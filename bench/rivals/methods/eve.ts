import type {
  LanguageModelV4,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Method } from '../../cache/methods/method.ts';

/** What is used of eve's engine, which its agents run before each call of the model. */
interface Engine {
  shouldCompact(messages: readonly EveMessage[], config: CompactionConfig): boolean;
  compactMessages(
    messages: readonly EveMessage[],
    config: CompactionConfig,
    summarize: (prompt: { messages: EveMessage[]; system: string }) => Promise<string>,
  ): Promise<EveMessage[]>;
}

/** Messages that eve writes hold a text where a provider is given parts. */
interface TextMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

type EveMessage = LanguageModelV4Message | TextMessage;

interface CompactionConfig {
  readonly recentWindowSize: number;
  readonly threshold: number;
  readonly lastKnownInputTokens?: number | undefined;
  readonly lastKnownPromptMessageCount?: number | undefined;
}

/** The compaction of eve with the figures that its agents begin with. It has no entry, so its file is loaded. */
export async function eve(): Promise<Method> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('eve/package.json'));
  const file = path.join(folder, 'dist/src/harness/compaction/engine.js');
  const engine: Engine = await import(pathToFileURL(file).href);
  return {
    name: 'eve 0.80.1',
    open: ({ model, summarizer, contextLength }) => {
      // As a session of eve keeps it: the history, which a compaction replaces.
      let session: EveMessage[] = [];
      let known = 0;
      let config: CompactionConfig = { recentWindowSize: 10, threshold: contextLength * 0.9 };
      return {
        ...model,
        doGenerate: async (options) => {
          const [system, ...messages] = options.prompt;
          session.push(...messages.slice(known));
          known = messages.length;
          if (engine.shouldCompact(session, config)) {
            session = await engine.compactMessages(session, config, (prompt) =>
              textOf(summarizer, prompt),
            );
            config = { recentWindowSize: 10, threshold: contextLength * 0.9 };
          }
          const prompt = [...(system === undefined ? [] : [system]), ...session.map(inParts)];
          const result = await model.doGenerate({ ...options, prompt });
          config = {
            ...config,
            lastKnownInputTokens: result.usage.inputTokens.total,
            lastKnownPromptMessageCount: session.length,
          };
          return result;
        },
      };
    },
  };
}

/** Calls a summarizer with messages of the AI SDK. */
async function textOf(
  summarizer: LanguageModelV4,
  { messages, system }: { messages: readonly EveMessage[]; system: string },
): Promise<string> {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: system },
    ...messages.map((message) => inParts(message)),
  ];
  const { content } = await summarizer.doGenerate({ prompt });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function inParts(message: EveMessage): LanguageModelV4Message {
  if (!isText(message)) return message;
  const content = [{ type: 'text' as const, text: message.content }];
  return message.role === 'user' ? { role: 'user', content } : { role: 'assistant', content };
}

function isText(message: EveMessage): message is TextMessage {
  return message.role !== 'system' && typeof message.content === 'string';
}
