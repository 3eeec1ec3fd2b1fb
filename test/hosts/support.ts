import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { setTimeout as delay } from 'node:timers/promises';
import { countPromptTokens, type SummarizationOptions } from 'ai-sdk-summarization';

/** What a user says first, and what every prompt has to tell a model from then on. */
export const rule = 'Never use semicolons.';

/** Tokens that the models of these tests accept. */
export const contextLength = 3000;

const usage: LanguageModelV4GenerateResult['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that answers at length, and keeps what it was sent. */
export class ScriptedModel<Version extends 'v3' | 'v4'> {
  readonly specificationVersion: Version;
  readonly provider = 'scripted';
  readonly modelId: string;
  readonly supportedUrls = {};
  readonly calls: LanguageModelV4CallOptions[] = [];
  readonly #answer: (call: number) => string;

  constructor(version: Version, modelId: string, answer: (call: number) => string) {
    this.specificationVersion = version;
    this.modelId = modelId;
    this.#answer = answer;
  }

  async doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    this.calls.push(options);
    // Hosts order what they keep by time.
    await delay(3);
    const text = this.#answer(this.calls.length);
    const finishReason = { unified: 'stop', raw: 'stop' } as const;
    return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
  }

  async doStream(options: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const { content, finishReason, warnings } = await this.doGenerate(options);
    const [part] = content;
    const delta = part?.type === 'text' ? part.text : '';
    const parts: LanguageModelV4StreamPart[] = [
      { type: 'stream-start', warnings },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason, usage },
    ];
    return { stream: ReadableStream.from(parts) };
  }
}

/** What is said in a turn: some 100 tokens. */
export function said(turn: number, by: string): string {
  return `${turn === 0 ? `${rule} ` : ''}${by} ${turn}: ${`${turn} rivers and stones and clouds. `.repeat(12)}`;
}

/** A model, a summarizer, and the options of a middleware under which they talk. */
export function scriptedTalk<Version extends 'v3' | 'v4'>(version: Version, name: string) {
  const model = new ScriptedModel(version, name, (call) => said(call, 'Answer'));
  const summarizer = new ScriptedModel(version, `${name}-summarizer`, () =>
    JSON.stringify({
      summary: 'They spoke of rivers.',
      keyPoints: [],
      context: {
        participants: [],
        decisions: [],
        actionItems: [],
        unresolved: [],
        domainEntities: [],
        constraints: [],
      },
    }),
  );
  const warnings: string[] = [];
  const options = {
    contextLength,
    maxWaitMs: 10_000,
    onEvent: (event) => {
      if (event.type === 'warning') warnings.push(event.code);
    },
  } satisfies SummarizationOptions;
  return { model, summarizer, warnings, options };
}

/** Checks that no prompt went over the limit, and says in how many of them the model was told the rule. */
export async function promptsWithRule({
  calls,
}: Pick<ScriptedModel<'v4'>, 'calls'>): Promise<number> {
  let count = 0;
  for (const { prompt } of calls) {
    const { total } = await countPromptTokens({ messages: prompt });
    if (total > contextLength) throw new Error(`A prompt of ${total} tokens went to the model.`);
    if (JSON.stringify(prompt).includes(rule)) count += 1;
  }
  return count;
}

/** How a conversation went. */
export interface Outcome {
  /** Calls of the model, and those of them in which it was told the rule. */
  readonly calls: number;
  readonly withRule: number;
  /** Whether summaries were made, and each served two calls or more. */
  readonly isSummarized: boolean;
}

/** How it should: every call has the rule of the first message. */
export const good: Outcome = { calls: 40, withRule: 40, isSummarized: true };

type Talk = Pick<ReturnType<typeof scriptedTalk<'v3' | 'v4'>>, 'model' | 'summarizer'>;

/**
 * Says how a conversation went.
 *
 * @throws {Error} when a prompt went over the limit.
 */
export async function outcomeOf({ model, summarizer }: Talk): Promise<Outcome> {
  const [calls, summaries] = [model.calls.length, summarizer.calls.length];
  const isSummarized = summaries > 0 && 2 * summaries <= calls;
  return { calls, withRule: await promptsWithRule(model), isSummarized };
}

/** Has a host talk with its user for 40 turns, three times what the model accepts, and says how it went. */
export async function talkFor(
  talk: Talk,
  send: (text: string) => Promise<unknown>,
): Promise<Outcome> {
  for (let turn = 0; turn < 40; turn += 1) await send(said(turn, 'Question'));
  return outcomeOf(talk);
}
