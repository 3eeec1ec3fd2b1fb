import type { Method } from '../cache/methods/method.ts';
import { answeringModel, summarizingModel } from '../cache/mock-models.ts';
import type { Scenario } from '../cache/scenario.ts';

/** Calls whose times are taken: the last ones, when everything has been loaded and seen. */
const timedCalls = 30;

/**
 * What a method takes before the calls of a scenario that fits the limit, each with the history in fresh objects: the
 * median time from a call until the model is called, over that of `JSON.parse` of the same prompts.
 */
export async function decisionTime(
  method: Method,
  contextLength: number,
  { calls, messages, tools }: Scenario,
): Promise<number> {
  let sentAt = 0;
  const model = method.open({
    contextLength,
    onSummary: () => undefined,
    model: answeringModel(() => {
      sentAt = performance.now();
    }),
    summarizer: summarizingModel(contextLength * 0.1, () => undefined),
  });
  const times: number[] = [];
  const parseTimes: number[] = [];
  for (const count of calls.slice(-2 * timedCalls)) {
    const body = JSON.stringify(messages.slice(0, count));
    const startedAt = performance.now();
    const prompt = JSON.parse(body);
    const parsedAt = performance.now();
    await model.doGenerate({ prompt, tools: [...tools] });
    times.push(sentAt - parsedAt);
    parseTimes.push(parsedAt - startedAt);
  }
  return median(times.slice(-timedCalls)) / median(parseTimes.slice(-timedCalls));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
