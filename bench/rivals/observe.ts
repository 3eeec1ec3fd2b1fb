import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { builtRoot } from '../built-package.ts';
import type { Method } from '../cache/methods/method.ts';
import { answeringModel, summarizingModel } from '../cache/mock-models.ts';
import type { Scenario } from '../cache/scenario.ts';
import { legalityFault } from '../legality-fault.ts';
import type { Host } from './hosts.ts';
import { scriptedModel } from './scripted-model.ts';

/** What reached the models: numbers of calls. */
export interface Observation {
  readonly sent: number;
  readonly overLimit: number;
  /** Calls of the summarizer. */
  readonly summaries: number;
  /** Prompts in which the user's words are not to be found. */
  readonly taskGone: number;
  /** Prompts that a provider would refuse for their form. */
  readonly illegal: number;
}

/**
 * Runs calls through a method, or lets a framework play the scenario, and looks at what comes out of it.
 *
 * @param taskOf - The user's words that every prompt has to hold, in characters without quotes.
 */
export async function observe(
  method: Method | Host,
  contextLength: number,
  taskOf: (index: number) => string,
  scenario: Scenario,
  drive: (model: LanguageModelV4) => Promise<void>,
): Promise<Observation> {
  const prompts: LanguageModelV4CallOptions[] = [];
  let summaries = 0;
  const record = (options: LanguageModelV4CallOptions): void => {
    prompts.push(options);
  };
  const summarizer = summarizingModel(contextLength * 0.1 * 4, () => {
    summaries += 1;
  });
  const model = answeringModel(record);
  if ('play' in method)
    await method.play(
      { contextLength, model: scriptedModel(scenario, record), summarizer },
      scenario,
    );
  else await drive(method.open({ contextLength, onSummary: () => undefined, model, summarizer }));
  const counts = await Promise.all(
    prompts.map((options) =>
      builtRoot.countPromptTokens({ ...options, messages: options.prompt, model }),
    ),
  );
  return {
    sent: prompts.length,
    overLimit: counts.filter(({ total }) => total > contextLength).length,
    summaries,
    taskGone: prompts.filter(({ prompt }, index) => !JSON.stringify(prompt).includes(taskOf(index)))
      .length,
    illegal: prompts.filter(({ prompt }) => legalityFault(prompt) !== undefined).length,
  };
}
