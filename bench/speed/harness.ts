import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import type { SummarizationOptions } from '../../src/index.ts';
import { billedResult } from '../../test/support/models.ts';
import { builtRoot } from '../built-package.ts';

/** Milliseconds that a quarter of the runs stay below: other work on the machine only adds to a run. */
export function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
}

/** Milliseconds of a piece of work, and over those of `JSON.parse` of the body in the same runs. */
export interface Timing {
  readonly ms: number;
  readonly ratio: number;
}

/** Times `work` on fresh objects of bodies, each parsed anew for each run. */
export async function timeOf(
  bodies: readonly string[],
  work: (prompt: LanguageModelV4Prompt) => unknown,
): Promise<Timing> {
  const bytes = bodies.reduce((total, body) => total + body.length, 0) / bodies.length;
  // Several bodies are first calls: the second run of one would not be.
  const runs =
    bodies.length > 1
      ? bodies.length
      : Math.max(15, Math.min(1000, Math.floor(60_000_000 / bytes)));
  const times: number[] = [];
  const parseTimes: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const body = bodies[run % bodies.length] ?? '';
    const startedAt = performance.now();
    const prompt: LanguageModelV4Prompt = JSON.parse(body);
    const parsedAt = performance.now();
    await work(prompt);
    times.push(performance.now() - parsedAt);
    parseTimes.push(parsedAt - startedAt);
  }
  const ms = lowerQuartile(times);
  return { ms, ratio: ms / lowerQuartile(parseTimes) };
}

/** What the SDK does with a middleware for one call. */
export interface Wrapped {
  /** The middleware's work before a call: what is measured. */
  readonly prepare: (
    prompt: LanguageModelV4Prompt,
    options?: { readonly force: boolean },
  ) => Promise<LanguageModelV4Prompt>;
  /** A whole call, so that the middleware learns its usage. */
  readonly call: (prompt: LanguageModelV4Prompt) => Promise<void>;
  /** What the last decision rested on. */
  readonly measuredBy: () => string;
}

/** Puts the middleware around a model, which reports so many tokens, without the SDK in between. */
export function wrapped(options: SummarizationOptions, inputTokens: number = 0): Wrapped {
  const model: LanguageModelV4 = new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'bench-model',
    doGenerate: billedResult('Understood.', inputTokens, 5),
  });
  let last = '';
  const middleware = builtRoot.summarizationMiddleware({
    ...options,
    onEvent: (event) => {
      if (event.type === 'check') last = `${event.measuredBy}/${event.reason}`;
      options.onEvent?.(event);
    },
  });
  const transform: Wrapped['prepare'] = async (prompt, own) => {
    const params = await middleware.transformParams?.({
      type: 'generate',
      params:
        own?.force === true
          ? { prompt, providerOptions: { summarization: { force: true } } }
          : { prompt },
      model,
    });
    return params?.prompt ?? prompt;
  };
  return {
    prepare: transform,
    measuredBy: () => last,
    call: async (prompt) => {
      const params = await middleware.transformParams?.({
        type: 'generate',
        params: { prompt },
        model,
      });
      if (params === undefined) return;
      await middleware.wrapGenerate?.({
        params,
        model,
        doGenerate: () => Promise.resolve(model.doGenerate(params)),
        doStream: () => Promise.resolve(model.doStream(params)),
      });
    },
  };
}
