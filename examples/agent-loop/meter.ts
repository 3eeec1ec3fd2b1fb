import type { LanguageModelMiddleware } from 'ai';
import { countRequestTokens } from '../next-app/embedded-model/count-tokens.ts';

/** Tokens of the latest call, and sums over all calls so far. */
export interface Reading {
  /** Tokens the latest call would have had with the full history. */
  full: number;
  /** Tokens the latest call really sent. */
  sent: number;
  /** Calls of the agent. */
  calls: number;
  totalFull: number;
  totalSent: number;
  mostSent: number;
  /** Milliseconds that the middleware held the latest call. */
  heldMs: number;
  /** Calls that wrote a summary, and the tokens they read. */
  summarizerCalls: number;
  summarizerTokens: number;
}

/** Two middlewares that measure what a third one between them saves, and the reading they share. */
export interface Meter {
  /** Stands before the middleware to measure: sees the full history. */
  readonly before: LanguageModelMiddleware;
  /** Stands after it: sees what reaches the model, summarizing calls included. */
  readonly after: LanguageModelMiddleware;
  readonly reading: Readonly<Reading>;
}

/** Creates a {@link Meter}. */
export function createMeter(): Meter {
  const reading: Reading = {
    full: 0,
    sent: 0,
    calls: 0,
    totalFull: 0,
    totalSent: 0,
    mostSent: 0,
    heldMs: 0,
    summarizerCalls: 0,
    summarizerTokens: 0,
  };
  let cameAt = 0;
  return {
    reading,
    before: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => {
        reading.full = countRequestTokens(params);
        reading.totalFull += reading.full;
        cameAt = performance.now();
        return params;
      },
    },
    after: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => {
        const wentAt = performance.now();
        const tokens = countRequestTokens(params);
        reading.mostSent = Math.max(reading.mostSent, tokens);
        if (params.responseFormat?.type === 'json') {
          reading.summarizerCalls += 1;
          reading.summarizerTokens += tokens;
        } else {
          reading.calls += 1;
          reading.sent = tokens;
          reading.totalSent += tokens;
          reading.heldMs = wentAt - cameAt;
        }
        return params;
      },
    },
  };
}
