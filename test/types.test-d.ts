import type { AISDKError, LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import { assertType, describe, expectTypeOf, it } from 'vitest';
import {
  memoryStore,
  type SummarizationError,
  summarizationMiddleware,
  type Message,
  type SummarizationEvent,
  type SummarizationOptions,
  type SummaryInput,
  type SummaryStore,
  type SummaryStrategy,
} from '../src/index.ts';

describe('the types', () => {
  it('make a middleware the SDK takes', () => {
    expectTypeOf(summarizationMiddleware).returns.toExtend<LanguageModelMiddleware>();
    expectTypeOf(memoryStore).returns.toEqualTypeOf<SummaryStore>();
  });

  it('are those of the SDK where they are its own', () => {
    type Model = ReturnType<typeof wrapLanguageModel>;
    expectTypeOf<SummaryInput['model']>().toEqualTypeOf<Model>();
    expectTypeOf<Message>().toEqualTypeOf<Parameters<Model['doGenerate']>[0]['prompt'][number]>();
    expectTypeOf<SummarizationError>().toExtend<AISDKError>();
  });

  it('know every option and refuse others', () => {
    assertType<SummarizationOptions>({
      strategy: 'llm',
      providers: { openai: { triggerTokenRatio: 0.9 } },
    });
    // @ts-expect-error -- no such option
    assertType<SummarizationOptions>({ triggerRatio: 0.9 });
    // @ts-expect-error -- no such placement
    assertType<SummarizationOptions>({ placement: 'assistant' });
    assertType<SummarizationOptions>({ strategy: undefined, store: undefined });
  });

  it('narrow an event by its type', () => {
    const read = (event: SummarizationEvent): number | undefined =>
      event.type === 'end' ? event.record.depth : undefined;
    expectTypeOf(read).returns.toEqualTypeOf<number | undefined>();
  });

  it('let a strategy be written as an object', () => {
    expectTypeOf<SummaryStrategy>().toHaveProperty('summarize');
  });
});
