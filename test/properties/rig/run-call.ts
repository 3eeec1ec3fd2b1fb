import type { LanguageModelV4 } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import {
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../../src/index.ts';
import type { CallOptions } from '../../support/prompt-types.ts';
import { chatModel } from '../../support/models.ts';

/** What became of one call. */
export interface Outcome {
  readonly given: CallOptions;
  /** What reached the model; `undefined` when the call was rejected. */
  readonly sent: CallOptions | undefined;
  readonly error: unknown;
  /** The events of this call. */
  readonly events: readonly SummarizationEvent[];
}

/** A wrapped model under observation. */
export interface Rig {
  readonly model: LanguageModelV4;
  readonly call: (params: CallOptions) => Promise<Outcome>;
}

/** Wraps a model that answers anything. Calls are to be made one after another. */
export function rig(options: SummarizationOptions, provider = 'openai.responses'): Rig {
  const inner = chatModel({ provider });
  let events: SummarizationEvent[] = [];
  const model = wrapLanguageModel({
    model: inner,
    middleware: summarizationMiddleware({
      // Ids are hashed with it, and their tokens decide what just fits: the same in each run.
      secret: 'a secret for the tests',
      ...options,
      onEvent: (event) => {
        events.push(event);
        return options.onEvent?.(event);
      },
    }),
  });
  return {
    model,
    call: async (given) => {
      events = [];
      const calls = inner.doGenerateCalls.length;
      let error: unknown;
      try {
        await model.doGenerate(given);
      } catch (cause) {
        error = cause;
      }
      return { given, sent: inner.doGenerateCalls[calls], error, events };
    },
  };
}
