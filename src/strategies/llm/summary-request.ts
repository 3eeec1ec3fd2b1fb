import focusPrompt from '../../../prompts/summarize-focus.md' with { type: 'text' };
import turnPrompt from '../../../prompts/summarize-turn.md' with { type: 'text' };
import { redactionDoor } from '../../cleaning/redaction-door.ts';
import { escapeJson } from '../../json/escape-json.ts';
import type { Message, ModelIdentity } from '../../prompt/prompt-types.ts';
import { fillTemplate } from '../../prompts/fill-template.ts';
import type { SummaryPrompts } from '../../prompts/summarization-prompts.ts';
import { renderPrior } from '../../record/item-ids.ts';
import { countText, type TextReading } from '../../tokens/text/count-text.ts';
import { cutMiddle } from '../../tokens/text/cut-middle.ts';
import type { BoundedMap } from '../../util/maps/bounded-map.ts';
import { charactersOfToken } from '../levels/chunk-text.ts';
import { messagePositions } from '../message-positions.ts';
import type { SummaryRequest } from '../models/call-model.ts';
import { readableForSummary } from '../models/readable-tokens.ts';
import { nameOfModel } from '../models/resolve-model.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/** Share of the summary's budget that the narrative is asked to keep to. */
const narrativeShare = 0.4;

/** Tokens of a summary that a model is asked for at most: it would take minutes over more, which code can fill. */
const maxAskedTokens = 2500;

/** Characters below which no narrative can be asked for. */
const leastNarrativeCharacters = 200;

/** Share of what a model can read that the record before may take: it must not leave the messages unread. */
export const priorShare: number = 1 / 3;

/** What a request for a summary is written from. */
export interface SummaryRequestOptions extends TextReading {
  readonly input: SummaryInput;
  readonly prompts: SummaryPrompts;
  /** Tokens that models read which have refused more, by {@link learnedKey}. */
  readonly learned: BoundedMap<number>;
}

/** How a model is asked, and how much it can read. */
export interface RequestReading {
  readonly template: string;
  readonly priorSummary: string;
  /** Tokens of messages that one call may read. */
  readonly room: number;
}

/** What is learned of a model is filed under it: what one namespace was refused is no limit for another one's texts. */
export function learnedKey(
  { namespace = '' }: Pick<SummaryInput, 'namespace'>,
  model: ModelIdentity,
): string {
  return JSON.stringify([namespace, nameOfModel(model)]);
}

/** Reads how a model is asked for the summary of an input. */
export async function readingFor(
  { input, prompts, learned, count, slices }: SummaryRequestOptions,
  model: ModelIdentity,
): Promise<RequestReading> {
  const { previous, usePreviousNarrative } = input;
  const clean = redactionDoor(input.redact);
  const whole = previous === undefined ? '' : renderPrior(previous, usePreviousNarrative, clean);
  const continued = usePreviousNarrative ? prompts.update : prompts.rebase;
  const template = previous === undefined ? prompts.first : continued;
  let around = 0;
  for (const text of [prompts.system, template, turnOf(input), focusOf(input)])
    around += await countText(text, count, slices);
  const most = learned.get(learnedKey(input, model)) ?? Number.POSITIVE_INFINITY;
  const readable = Math.min(readableForSummary(input, model), most);
  const room = Math.max(readable - around, Math.floor(readable / 4));
  const prior = await countText(whole, count, slices);
  const share = Math.floor(priorShare * room);
  if (prior <= share) return { template, priorSummary: whole, room: room - prior };
  // What is left out of it stays in the record: code keeps its items.
  const characters = Math.floor((whole.length * share) / prior);
  const priorSummary = escapeJson(cutMiddle(whole, characters).text);
  return { template, priorSummary, room: room - share };
}

/**
 * Writes the request for a summary of what `content` holds.
 *
 * @param askedShare - The share of the usual length that is asked for.
 */
export function requestFor(
  { input, prompts, count }: SummaryRequestOptions,
  { template, priorSummary }: RequestReading,
  content: string,
  askedShare: number,
): SummaryRequest {
  const source = content + priorSummary;
  const characters =
    askedShare *
    Math.min(input.maxSummaryTokens, maxAskedTokens) *
    charactersOfToken(source, count);
  // In this text's script; at most half of what is summarised.
  const share = Math.min(Math.floor(characters * narrativeShare), Math.floor(source.length / 2));
  const asked = fillTemplate(template, {
    content,
    context: escapeJson({ messages: input.messages.length }),
    prior_summary: priorSummary,
    max_chars: String(Math.max(leastNarrativeCharacters, share)),
  });
  return {
    kind: input.previous === undefined ? 'first' : 'update',
    instructions: prompts.system,
    prompt: asked + turnOf(input) + focusOf(input),
  };
}

/** Which messages are the beginning of a turn that goes on; empty where they are none, or all. */
function turnOf(input: SummaryInput): string {
  const start = runningTurn(input.messages, input.previous !== undefined);
  if (start === undefined) return '';
  const position = messagePositions(input).positionOf(start);
  return `\n${fillTemplate(turnPrompt, { content: String(position) })}`;
}

/** What the caller wants of this one summary, as JSON with what it means; empty for nothing. */
function focusOf({ instructions = '' }: SummaryInput): string {
  return instructions.trim() === ''
    ? ''
    : `\n${fillTemplate(focusPrompt, { content: escapeJson(instructions) })}`;
}

/**
 * Where the turn begins that goes on behind some messages: their end is no answer, and other messages, or an earlier
 * record, come before it.
 *
 * @returns The index of the user's message; `undefined` where no turn goes on, or all of it is one.
 */
function runningTurn(messages: readonly Message[], hasEarlier: boolean): number | undefined {
  const last = messages.at(-1);
  if (last === undefined || (last.role !== 'tool' && !callsTool(last))) return undefined;
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return start > 0 || (start === 0 && hasEarlier) ? start : undefined;
}

function callsTool({ role, content }: Message): boolean {
  return role === 'assistant' && content.some(({ type }) => type === 'tool-call');
}
