import { injectSummary } from '../../composing/place-summary.ts';
import { maxModels, modelNames } from '../../prompt/model-name.ts';
import { type CallOptions, type ModelIdentity, splitSystem } from '../../prompt/prompt-types.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { clockMs } from '../../util/clock-ms.ts';
import type { FormPart } from './classify-failure.ts';
import { nameOfModel } from './resolve-model.ts';

/** What is known of how a model wants to be asked. */
export interface Manner {
  /** What of the usual form it has not refused; nothing is lost by the rest but convenience. */
  readonly form: readonly FormPart[];
  /** Whether an answer of it was reasoned about. */
  readonly reasons: boolean;
}

/** Keeps how models want to be asked. */
export interface ModelManners {
  readonly of: (model: ModelIdentity) => Manner;
  readonly learn: (model: ModelIdentity, news: Partial<Manner>) => void;
  /** Leaves a part of the form out from now on. */
  readonly leaveOut: (model: ModelIdentity, parts: readonly FormPart[]) => void;
}

/** How a model is asked that has refused nothing. */
const usualForm: readonly FormPart[] = ['json', 'system', 'limits', 'stream'];

/** Milliseconds after which a model is asked in the usual form again: deployments change. */
const lifetimeMs = 60 * 60_000;

/** Makes a memory of 1,000 models, each for an hour. */
export function modelManners(): ModelManners {
  const manners = boundedMap<Manner & { readonly until: number }>(maxModels);
  const of = (model: ModelIdentity): Manner & { readonly until: number } => {
    const known = manners.get(nameOfModel(model));
    if (known !== undefined && clockMs() < known.until) return known;
    const usual = { form: usualForm, reasons: false };
    return { ...usual, until: clockMs() + lifetimeMs };
  };
  const learn = (model: ModelIdentity, news: Partial<Manner>): void =>
    manners.set(nameOfModel(model), { ...of(model), ...news });
  return {
    of,
    learn,
    leaveOut: (model, parts) =>
      learn(model, { form: of(model).form.filter((part) => !parts.includes(part)) }),
  };
}

/** Tokens of an answer that are asked for, several times those of the largest record. */
const usualOutputTokens = 8000;

/** Models that cannot write so much. */
const briefModels = /^(?:gpt-3\.5|gpt-4-|claude-3-[hos])/;
const briefOutputTokens = 4000;

/** Models that reason unless they are told not to, or are seen to; of others, effort would have them begin. */
const reasoningModels = /^(?:o[1-9](?:$|-)|gpt-(?:[5-9]|\d\d)(?!.*chat)|gemini-(?:2\.5|[3-9]))/;

/**
 * How many times such an answer a context holds in which it was left free by who chose what is read: beside a package's
 * own default, 64,000 for Claude, the same prompt is refused.
 */
const roomyContext = 8;

/** Bytes of a prompt for one token, at the least; and tokens that the frame of a request has. */
const bytesOfToken = 2.5;
const frameTokens = 500;

/**
 * How much a model may reason and write for a summary: little effort where it reasons, and so many tokens as no record
 * needs, where its context is large, or has room for them beside the prompt: else the server says what is left.
 *
 * @param contextLength - Tokens it accepts; 0 where that is not known.
 * @param prompt - All that is sent.
 */
export function limitsOf(
  { modelId }: ModelIdentity,
  { reasons }: Pick<Manner, 'reasons'>,
  contextLength: number,
  prompt: string,
): Pick<CallOptions, 'maxOutputTokens' | 'reasoning'> {
  const [name = modelId] = modelNames(modelId);
  const most = briefModels.test(name) ? briefOutputTokens : usualOutputTokens;
  const promptTokens = new TextEncoder().encode(prompt).length / bytesOfToken;
  const isLeftFree = contextLength >= roomyContext * usualOutputTokens;
  const hasRoom = contextLength - frameTokens - promptTokens >= most;
  return {
    ...(isLeftFree || hasRoom ? { maxOutputTokens: most } : {}),
    ...(reasons || reasoningModels.test(name) ? { reasoning: 'low' as const } : {}),
  };
}

/** Puts a call into a form. */
export function inForm(params: CallOptions, form: readonly FormPart[]): CallOptions {
  const { responseFormat: _format, ...withoutJson } = params;
  const asked = form.includes('json') ? params : withoutJson;
  const { maxOutputTokens: _most, reasoning: _effort, ...unlimited } = asked;
  const formed = form.includes('limits') ? asked : unlimited;
  return form.includes('system') ? formed : { ...formed, prompt: withoutSystem(formed.prompt) };
}

/** The system messages of a request in front of the user's. */
function withoutSystem(prompt: CallOptions['prompt']): CallOptions['prompt'] {
  const { systems, conversation: recent } = splitSystem(prompt);
  const text = systems.map(({ content }) => `${content}\n\n`).join('');
  const nothing = { systems: [], summarised: [], kept: [] };
  return text === '' ? prompt : injectSummary({ ...nothing, text, placement: 'user', recent });
}
