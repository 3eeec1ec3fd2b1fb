import type {
  CallOptions,
  Message,
  ModelIdentity,
  Prompt,
  SystemMessage,
} from '../../prompt/messages/prompt-types.ts';
import { maxModels } from '../../prompt/messages/model-name.ts';
import { addressOf } from '../../prompt/messages/provider-options.ts';
import { splitSystem } from '../selection/conversation-view.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/**
 * Where the summary goes:
 * - `system`: a system message of its own after the leading ones;
 * - `system-merged`: at the end of the last leading system message;
 * - `user`: the first text part of the first user message.
 */
export type Placement = 'system' | 'system-merged' | 'user';

// Providers that accept several leading system messages. Chat templates of self-hosted models often
// reject a second one, so everybody else gets the summary merged into the first.
const severalSystemMessages =
  'azure anthropic google vertex amazon-bedrock bedrock mistral xai groq deepseek cohere gateway';

/** Placements, from the one that models of the large providers read best to the one that every model takes. */
const placements: readonly Placement[] = ['system', 'system-merged', 'user'];

/** Ids of OpenAI's own models; its provider package may serve any other server. */
const openaisOwn =
  /^(?:gpt-(?!oss|j\b|neo|sw3)|chatgpt|o\d|codex|computer-use|ft:|davinci|babbage)/i;

/** Placements that models took after they had refused an earlier one. */
const placesTaken = boundedMap<Placement>(maxModels);

/** Names a model with its server: another server may have another chat template. */
function modelAndServer(model: ModelIdentity): string {
  return JSON.stringify([model.provider, model.modelId, addressOf(model)?.origin]);
}

/**
 * Remembers the placement that a model took.
 *
 * @returns a name for the model at its server.
 */
export function rememberPlacement(model: ModelIdentity, placement: Placement): string {
  const key = modelAndServer(model);
  placesTaken.set(key, placement);
  return key;
}

/** Resolves `'auto'` for a model and a call: never to a placement that the model has refused. */
export function resolvePlacement(
  placement: Placement | 'auto',
  model: ModelIdentity,
  call: Pick<CallOptions, 'providerOptions'>,
): Placement {
  const { provider, modelId } = model;
  let wanted = placement;
  if (wanted === 'auto') {
    const [family = ''] = provider.split('.');
    const takesSeveral =
      family === 'openai'
        ? openaisOwn.test(modelId)
        : severalSystemMessages.split(' ').includes(family);
    wanted = takesSeveral ? 'system' : 'system-merged';
    const { openai, azure } = call.providerOptions ?? {};
    const modes = [openai?.['systemMessageMode'], azure?.['systemMessageMode']];
    // With this option the provider drops every system message, ours included.
    if (modes.includes('remove')) wanted = 'user';
  }
  // Most processes never see a placement refused.
  const isAnyTaken = placesTaken.size() > 0;
  const taken = (isAnyTaken ? placesTaken.get(modelAndServer(model)) : undefined) ?? wanted;
  return placements.indexOf(taken) > placements.indexOf(wanted) ? taken : wanted;
}

/** The pieces of a rewritten prompt, in order, and the rendered summary that joins them. */
export interface Injection {
  /** The rendered summary. */
  readonly text: string;
  readonly placement: Placement;
  /** The leading system messages. */
  readonly systems: readonly SystemMessage[];
  /** The messages the summary stands for. */
  readonly summarized: readonly Message[];
  /** Earlier messages that stay verbatim: anchor and pins. */
  readonly kept: readonly Message[];
  /** The messages after the summarized ones. */
  readonly recent: readonly Message[];
}

/**
 * Builds the rewritten prompt: leading system messages, summary, kept messages, recent messages. Kept and recent
 * messages go in by reference, except the one user message to which the placement `user` adds a part. A conversation
 * without any user message gets the summary as its first one.
 */
export function injectSummary(injection: Injection): Prompt {
  const { text, placement, systems, summarized, kept, recent } = injection;
  const rest = [...kept, ...recent];
  const part = { type: 'text', text } as const;
  const firstUser = rest.findIndex((message) => message.role === 'user');
  if (firstUser === -1) return [...systems, { role: 'user', content: [part] }, ...rest];
  switch (placement) {
    case 'system': {
      const providerOptions = inheritedBreakpoint(summarized, [...systems, ...rest]);
      const told: SystemMessage = { role: 'system', content: text };
      return [...systems, providerOptions ? { ...told, providerOptions } : told, ...rest];
    }
    case 'system-merged': {
      // A system message without text carries settings that providers take only as long as it has none.
      const at = systems.findLastIndex(({ content }) => content !== '');
      const last = systems[at];
      if (last === undefined) return [...systems, { role: 'system', content: text }, ...rest];
      return [...systems.with(at, { ...last, content: `${last.content}\n\n${text}` }), ...rest];
    }
    case 'user':
      return [
        ...systems,
        ...rest.map((message, index) =>
          index === firstUser && message.role === 'user'
            ? { ...message, content: [part, ...message.content] }
            : message,
        ),
      ];
  }
}

/**
 * Moves the summary to the next placement that changes the prompt; `undefined` if there is none, or the prompt does not
 * hold the summary.
 *
 * @param text - The rendered summary.
 */
export function moveSummary(
  prompt: Prompt,
  text: string,
  from: Placement,
): { readonly prompt: Prompt; readonly placement: Placement } | undefined {
  const others = withoutSummary(prompt, text);
  if (others === undefined) return undefined;
  const { systems, conversation } = splitSystem(others);
  const pieces = { text, systems, summarized: [], kept: [], recent: conversation };
  for (const placement of placements.slice(placements.indexOf(from) + 1)) {
    const moved = injectSummary({ ...pieces, placement });
    // Without another system message to merge into, the prompt would stay as it was.
    if (placement === 'user' || moved.length < prompt.length) return { prompt: moved, placement };
  }
  return undefined;
}

function withoutSummary(prompt: Prompt, text: string): Prompt | undefined {
  for (const [index, message] of prompt.entries()) {
    if (message.role !== 'system') continue;
    const { content } = message;
    if (content === text) return prompt.toSpliced(index, 1);
    if (content.endsWith(`\n\n${text}`))
      return prompt.with(index, { ...message, content: content.slice(0, -text.length - 2) });
  }
  return undefined;
}

type CacheOptions = NonNullable<Message['providerOptions']>;

/** Breakpoints one prompt may carry; Anthropic drops the fifth and later. */
const maxCacheBreakpoints = 4;

/**
 * Finds the breakpoint that the summary inherits: the last one on a summarized message, if the kept messages leave room
 * for it.
 */
function inheritedBreakpoint(
  summarized: readonly Message[],
  kept: readonly Message[],
): CacheOptions | undefined {
  for (const message of summarized.toReversed()) {
    const breakpoint = breakpointsOf(message).at(-1);
    if (breakpoint !== undefined)
      return kept.flatMap(breakpointsOf).length < maxCacheBreakpoints ? breakpoint : undefined;
  }
  return undefined;
}

/** Returns the breakpoints of the parts, then that of the message itself. */
function breakpointsOf({ content, providerOptions }: Message): readonly CacheOptions[] {
  const parts = typeof content === 'string' ? [] : content;
  return [...parts, { providerOptions }].flatMap((part) => breakpointsIn(part.providerOptions));
}

function breakpointsIn({ anthropic, bedrock }: CacheOptions = {}): readonly CacheOptions[] {
  const cacheControl = anthropic?.['cacheControl'] ?? anthropic?.['cache_control'];
  if (cacheControl !== undefined) return [{ anthropic: { cacheControl } }];
  const cachePoint = bedrock?.['cachePoint'];
  return cachePoint === undefined ? [] : [{ bedrock: { cachePoint } }];
}
