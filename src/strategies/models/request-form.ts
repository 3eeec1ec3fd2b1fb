import { maxModels, modelNames } from '../../prompt/model-name.ts';
import type { CallOptions, Message, ModelIdentity } from '../../prompt/prompt-types.ts';
import { errorEvidence } from '../../overflow/error-evidence.ts';
import { boundedMap } from '../../util/maps/bounded-map.ts';
import { memberOf } from './classify-failure.ts';
import { nameOfModel } from './resolve-model.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** How a model is asked. What it refuses is left out from then on; nothing is lost by it but convenience. */
export interface RequestForm {
  /** Whether the answer is asked for as JSON by the provider's own means; the instructions say so in any case. */
  readonly json: boolean;
  /** Whether instructions are a system message; else they stand in front of the user's. */
  readonly system: boolean;
  /** Whether effort and output are limited. */
  readonly limits: boolean;
  /** Whether the answer is asked for as a stream. */
  readonly stream: boolean;
}

/** Something of a form that a model did not take. */
type RefusedPart = keyof RequestForm;

/** What is known of how a model wants to be asked. */
interface Manner {
  readonly form: RequestForm;
  readonly until: number;
  /** Whether it has refused a request in every form: what it refuses without a word is not the form. */
  readonly isOpen?: boolean | undefined;
  /** Whether an answer of it was reasoned about. */
  readonly reasons?: boolean | undefined;
  /** The share of the usual length that it is asked for, since it ran out of time. */
  readonly share?: number | undefined;
}

/** Keeps how models want to be asked. */
export interface ModelManners {
  /** The form in which a model is asked, as far as it is known what it takes. */
  readonly formFor: (model: ModelIdentity) => RequestForm;
  /** The share of the usual length that a model is asked for: half of it after each time that it ran out of time. */
  readonly shareFor: (model: ModelIdentity) => number;
  /** Whether it is seen to reason, or known to. */
  readonly doesReason: (model: ModelIdentity) => boolean;
  readonly refused: (model: ModelIdentity, parts: readonly RefusedPart[]) => void;
  /** What was refused was not the form. */
  readonly refusedInAnyForm: (model: ModelIdentity) => void;
  readonly isOpen: (model: ModelIdentity) => boolean;
  readonly ranOutOfTime: (model: ModelIdentity) => void;
  readonly answered: (model: ModelIdentity) => void;
  readonly reasoned: (model: ModelIdentity) => void;
}

const usualForm: RequestForm = { json: true, system: true, limits: true, stream: true };

/** Milliseconds after which a model is asked in the usual form again: deployments change. */
const lifetimeMs = 60 * 60_000;

/** The least share of the usual length that is asked for. */
const leastShare = 0.25;

/** Makes a memory of 1,000 models, each for an hour. */
export function modelManners(): ModelManners {
  const manners = boundedMap<Manner>(maxModels);
  const of = (model: ModelIdentity): Manner => {
    const known = manners.get(nameOfModel(model));
    if (known !== undefined && clockMs() < known.until) return known;
    return { form: usualForm, until: clockMs() + lifetimeMs };
  };
  const learn = (model: ModelIdentity, news: Partial<Manner>): void =>
    manners.set(nameOfModel(model), { ...of(model), ...news });
  const shareFor = (model: ModelIdentity): number => of(model).share ?? 1;
  return {
    formFor: (model) => of(model).form,
    shareFor,
    doesReason: (model) => of(model).reasons === true || reasoningModels.test(shortName(model)),
    refused: (model, parts) => {
      const without = Object.fromEntries(parts.map((part) => [part, false]));
      learn(model, { form: { ...of(model).form, ...without } });
    },
    refusedInAnyForm: (model) => learn(model, { form: usualForm, isOpen: true }),
    isOpen: (model) => of(model).isOpen === true,
    ranOutOfTime: (model) => learn(model, { share: Math.max(leastShare, shareFor(model) / 2) }),
    answered: (model) => {
      if (of(model).share !== undefined) learn(model, { share: undefined });
    },
    reasoned: (model) => {
      if (of(model).reasons !== true) learn(model, { reasons: true });
    },
  };
}

function shortName({ modelId }: ModelIdentity): string {
  return modelNames(modelId)[0] ?? modelId;
}

/** Words by which providers say what of a form they do not take. */
const refusingWords: readonly (readonly [RefusedPart, RegExp])[] = [
  [
    'json',
    /response[_ ]?format|json[_ ]?(?:schema|object|mode)|response[_ ]?(?:mime|schema)|structured/,
  ],
  ['limits', /max[_ ]?(?:completion[_ ]|output[_ ])?tokens|reasoning|thinking/],
  ['system', /system|developer|chat template|jinja|roles? must|conversation roles/],
];

/** Statuses of requests that are refused as they are, and of servers whose templates fail. */
const refusing: ReadonlySet<number> = new Set([400, 415, 422, 500, 501]);
const ofRequest: ReadonlySet<number> = new Set([400, 422]);

/** What a filter, or a gate, says: in another form it would be the same. */
const otherMatters =
  /content.?(?:filter|polic|management)|safety|moderation|api.?key|quota|billing|credit/;

/** Characters of a provider's words that are told. */
const maxSaid = 200;

/** What of a form was refused, and the provider's words for it where they say so. */
export interface FormRefusal {
  readonly parts: readonly RefusedPart[];
  readonly said?: string | undefined;
}

/**
 * Reads a refusal that is none of length. One without a word of what is not taken is put down to what is most
 * particular of the form.
 *
 * @param isOpen - Whether the form is known not to be why.
 *
 * @returns `undefined` where another form would be refused, too.
 */
export function refusedPart(
  error: unknown,
  form: RequestForm,
  isOpen: boolean,
): FormRefusal | undefined {
  const { statuses, texts } = errorEvidence(error);
  const isBySDK = memberOf(error, 'name') === 'AI_UnsupportedFunctionalityError';
  if (!isBySDK && !statuses.some((status) => refusing.has(status))) return undefined;
  const text = texts.join('\n');
  const named = refusingWords.find(([part, pattern]) => form[part] && pattern.test(text))?.[0];
  if (named !== undefined) return { parts: [named], said: saidBy(error) };
  if (!isBySDK && (!statuses.some((status) => ofRequest.has(status)) || otherMatters.test(text)))
    return undefined;
  if (isOpen) return undefined;
  const likely = (['json', 'limits'] as const).filter((part) => form[part]);
  const parts = likely.length === 0 && form.system ? (['system'] as const) : likely;
  return parts.length === 0 ? undefined : { parts };
}

function saidBy(error: unknown): string | undefined {
  const message = memberOf(error, 'message');
  if (typeof message !== 'string') return undefined;
  return message.length > maxSaid ? `${message.slice(0, maxSaid)}…` : message;
}

/**
 * Whether a model refuses to stream, as OpenAI does to organisations that have not been verified, or has no means to:
 * then there is nothing to remember, as it costs no call.
 */
export function refusesToStream(error: unknown): 'by-server' | 'itself' | undefined {
  const { statuses, texts } = errorEvidence(error);
  const says = (words: RegExp): boolean => texts.some((text) => words.test(text));
  if (statuses.length === 0)
    return says(/not (?:yet )?(?:implemented|supported)/) ? 'itself' : undefined;
  const isRefused = statuses.some((status) => ofRequest.has(status)) && says(/\bstream/);
  return isRefused ? 'by-server' : undefined;
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
 * @param contextLength - Tokens it accepts; `undefined` where that is not known.
 */
export function limitsOf(
  model: ModelIdentity,
  manners: Pick<ModelManners, 'shareFor' | 'doesReason'>,
  contextLength: number | undefined,
  texts: readonly string[],
): Pick<CallOptions, 'maxOutputTokens' | 'reasoning'> {
  const isBrief = briefModels.test(shortName(model));
  const most = Math.ceil(
    (isBrief ? briefOutputTokens : usualOutputTokens) * manners.shareFor(model),
  );
  const encoder = new TextEncoder();
  const bytes = texts.reduce((sum, text) => sum + encoder.encode(text).length, 0);
  const room = (contextLength ?? 0) - frameTokens - bytes / bytesOfToken;
  const isLeftFree = (contextLength ?? 0) >= roomyContext * usualOutputTokens;
  return {
    ...(isLeftFree || room >= most ? { maxOutputTokens: most } : {}),
    ...(manners.doesReason(model) ? { reasoning: 'low' as const } : {}),
  };
}

/** Puts a call into a form. */
export function inForm(params: CallOptions, { json, system, limits }: RequestForm): CallOptions {
  const { responseFormat, maxOutputTokens, reasoning, ...bare } = params;
  return {
    ...bare,
    prompt: system ? params.prompt : merged(params.prompt),
    ...(json && responseFormat !== undefined ? { responseFormat } : {}),
    ...(limits && maxOutputTokens !== undefined ? { maxOutputTokens } : {}),
    ...(limits && reasoning !== undefined ? { reasoning } : {}),
  };
}

/** The system messages of a request in front of the user's. */
function merged(prompt: readonly Message[]): CallOptions['prompt'] {
  const systems = prompt.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  if (systems.length === 0) return [...prompt];
  const rest = prompt.filter(({ role }) => role !== 'system');
  const [first, ...others] = rest;
  const part = { type: 'text' as const, text: `${systems.join('\n\n')}\n\n` };
  return first?.role === 'user'
    ? [{ ...first, content: [part, ...first.content] }, ...others]
    : [{ role: 'user', content: [part] }, ...rest];
}
