import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { summarizationMiddleware } from '../../src/index.ts';
import type { CallOptions } from '../support/prompt-types.ts';
import { textParts } from '../support/models.ts';
import { writeTrace } from './generators/write-trace.ts';
import { checkProperty } from './rig/check-property.ts';
import { knownStrategy } from './rig/known-strategy.ts';
import { plainChat } from './rig/plain-plan.ts';

/** What a reader does with a stream. */
interface ReaderPlan {
  /** Chunks to read before it cancels; `undefined` to read on to the end. */
  readonly cancelAfter: number | undefined;
  /** The chunk at which the model's stream breaks off with an error. */
  readonly breakAt: number | undefined;
}

/** What was seen on both ends of a stream. */
interface Seen {
  readonly chunks: readonly LanguageModelV4StreamPart[];
  readonly error: unknown;
  /** Pulls of the model's stream by the time each chunk had been read. */
  readonly pulls: readonly number[];
  readonly cancelled: unknown;
}

const params: CallOptions = { prompt: writeTrace(plainChat).prompt };
const failure = new Error('The connection broke.');

async function read(
  parts: readonly LanguageModelV4StreamPart[],
  plan: ReaderPlan,
  wrap: (model: LanguageModelV4) => LanguageModelV4,
): Promise<Seen> {
  let pulled = 0;
  let cancelled: unknown;
  const model = new MockLanguageModelV4({
    provider: 'openai.responses',
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>(
          {
            pull: (controller) => {
              const part = parts[pulled];
              if (pulled === plan.breakAt) controller.error(failure);
              else if (part === undefined) controller.close();
              else controller.enqueue(part);
              pulled += 1;
            },
            cancel: (reason) => {
              cancelled = reason;
            },
          },
          { highWaterMark: 0 },
        ),
      }),
  });
  const { stream } = await wrap(model).doStream(params);
  const reader = stream.getReader();
  const chunks: LanguageModelV4StreamPart[] = [];
  const pulls: number[] = [];
  let error: unknown;
  try {
    while (plan.cancelAfter === undefined || chunks.length < plan.cancelAfter) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      pulls.push(pulled);
    }
    if (plan.cancelAfter !== undefined) await reader.cancel('enough');
  } catch (cause) {
    error = cause;
  }
  return { chunks, error, pulls, cancelled };
}

function withMiddleware(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: summarizationMiddleware({ contextLength: 1000, strategy: knownStrategy() }),
  });
}

function withoutMetadata(chunk: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  if (chunk.type !== 'finish') return chunk;
  const { providerMetadata: _ours, ...rest } = chunk;
  return rest;
}

const position = fc.option(fc.nat(8), { nil: undefined });

describe('a stream', () => {
  it('comes chunk for chunk, pull for pull, with the same end (P55)', async () => {
    await checkProperty(
      fc.asyncProperty(
        fc.array(fc.string(), { maxLength: 5 }),
        fc.record({ cancelAfter: position, breakAt: position }),
        async (texts, plan) => {
          const parts = texts.flatMap((text) => textParts(text));
          const bare = await read(parts, plan, (model) => model);
          const wrapped = await read(parts, plan, withMiddleware);
          expect(wrapped.chunks).toHaveLength(bare.chunks.length);
          const others = wrapped.chunks.filter((chunk, index) => chunk !== bare.chunks[index]);
          for (const chunk of others) {
            expect(chunk.type).toBe('finish');
            expect(chunk).toHaveProperty('providerMetadata.summarization');
          }
          expect(wrapped.chunks.map(withoutMetadata)).toEqual(bare.chunks);
          expect(wrapped.pulls).toEqual(bare.pulls);
          expect(wrapped.cancelled).toBe(bare.cancelled);
          expect(wrapped.error).toBe(bare.error);
        },
      ),
    );
  });
});
