import type { SummarizationOptions } from '../../../src/index.ts';
import { countPromptTokens } from '../../../src/index.ts';
import type { CallOptions } from '../../support/prompt-types.ts';
import { optionsOf, outputReserveOf, type ConfigPlan } from '../generators/config-plan.ts';
import type { TracePlan } from '../generators/trace-plan.ts';
import { writeTrace, type Trace } from '../generators/write-trace.ts';
import { knownStrategy, type KnownStrategy } from './known-strategy.ts';
import { rig, type Outcome, type Rig } from './run-call.ts';

/** A planned conversation under a planned configuration, ready to be sent. */
export interface Stage extends Rig {
  readonly trace: Trace;
  readonly params: CallOptions;
  readonly strategy: KnownStrategy;
  readonly options: SummarizationOptions;
}

/** Writes the conversation and wraps a model whose context length is in proportion to it. */
export async function stage(
  tracePlan: TracePlan,
  configPlan: ConfigPlan,
  more: SummarizationOptions = {},
): Promise<Stage> {
  const trace = writeTrace(tracePlan);
  const { total } = await countPromptTokens({
    messages: trace.prompt,
    model: { provider: configPlan.provider, modelId: 'gpt-test' },
  });
  const strategy = knownStrategy();
  // The sizes of the plan are counted, so the models of the plan count alike.
  const providers = { lmstudio: { tokenMultiplier: 1 } };
  const options = { ...optionsOf(configPlan, total), strategy, providers, ...more };
  const maxOutputTokens = outputReserveOf(configPlan, total);
  const params: CallOptions = {
    prompt: trace.prompt,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  return { ...rig(options, configPlan.provider), trace, params, strategy, options };
}

/** Sends a planned conversation once. */
export async function runPlan(
  tracePlan: TracePlan,
  configPlan: ConfigPlan,
  more: SummarizationOptions = {},
): Promise<Stage & { readonly outcome: Outcome }> {
  const staged = await stage(tracePlan, configPlan, more);
  return { ...staged, outcome: await staged.call(staged.params) };
}
