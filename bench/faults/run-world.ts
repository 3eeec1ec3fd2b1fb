import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { builtRoot } from '../built-package.ts';
import { answeringModel } from '../cache/mock-models.ts';
import { fakeSummariser, type Writer } from './fake-summariser.ts';

/** An item of a record as a model is shown it. */
export interface ShownItem {
  readonly text: string;
  /** Whether it is said to be the summariser's, or not to be borne out. */
  readonly isMarked: boolean;
}

/** What a model is shown of a record: the narrative, by sentences, and the lists by their names. */
export type ShownRecord = Readonly<Record<string, readonly ShownItem[]>>;

/** Tokens that the record may take, and the model accepts. */
const maxSummaryTokens = 4000;
const contextLength = 200_000;

/**
 * Summarises a conversation through the middleware, once for each writer: the first of several reads the
 * first part of it.
 *
 * @returns What the model was shown last; `undefined` where a summary failed.
 */
export async function runWorld(
  messages: readonly LanguageModelV4Message[],
  writers: readonly Writer[],
): Promise<ShownRecord | undefined> {
  const { llmStrategy, memoryStore, summarizationMiddleware } = builtRoot;
  const store = memoryStore();
  let shown: ShownRecord | undefined;
  for (const [index, write] of writers.entries()) {
    shown = undefined;
    const model = wrapLanguageModel({
      model: answeringModel(({ prompt }) => {
        shown = recordIn(prompt);
      }),
      middleware: summarizationMiddleware({
        store,
        contextLength,
        maxSummaryTokens,
        preserveRecentTokenRatio: 0,
        cooldownMessages: 0,
        fallbackStrategy: false,
        strategy: llmStrategy({ models: [fakeSummariser(write)] }),
      }),
    });
    const share = (index + 1) / writers.length;
    await model.doGenerate({
      prompt: structuredClone(messages.slice(0, lengthOf(messages, share))),
      providerOptions: { summarization: { force: true } },
    });
  }
  return shown;
}

/** Messages up to a share of them; the last is the user's, as where a model is called. */
function lengthOf(messages: readonly LanguageModelV4Message[], share: number): number {
  const end = Math.ceil(messages.length * share);
  return messages.findIndex(({ role }, index) => index >= end - 1 && role === 'user') + 1;
}

function recordIn(prompt: LanguageModelV4Prompt): ShownRecord | undefined {
  for (const { role, content } of prompt) {
    if (role !== 'system' || !content.startsWith('[summary-depth:')) continue;
    const body: RenderedRecord = JSON.parse(content.split('\n')[2] ?? '{}');
    const { summary = '', ...lists } = body;
    const shown: Record<string, readonly ShownItem[]> = {
      summary: summary
        .split(/(?<=[.!。]) |(?<=。)/)
        .map((text) => ({ text, isMarked: isMarked(text) })),
    };
    for (const [name, list] of Object.entries(lists))
      if (Array.isArray(list))
        shown[name] = list
          .map(textOf)
          .map((text) => ({ text: text.replace(teller, ''), isMarked: isMarked(text) }));
    return shown;
  }
  return undefined;
}

/** Who a record says that a statement comes from. */
const teller = /^(?:user|assistant|tool|system|summariser): /;

function isMarked(text: string): boolean {
  return text.startsWith('summariser: ') || text.includes('(unconfirmed)');
}

function textOf(item: unknown): string {
  return typeof item === 'string' ? item : Object.values(item ?? {}).join(' ');
}

interface RenderedRecord extends Readonly<Record<string, unknown>> {
  readonly summary?: string;
}
