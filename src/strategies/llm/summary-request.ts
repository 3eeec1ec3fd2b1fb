import focusPrompt from '../../../prompts/summarize-focus.md' with { type: 'text' };
import turnPrompt from '../../../prompts/summarize-turn.md' with { type: 'text' };
import { redactionDoor } from '../../cleaning/redaction-door.ts';
import { escapeJson } from '../../util/json.ts';
import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { fillTemplate } from '../../prompts/template.ts';
import type { SummaryPrompts } from '../../prompts/summarization-prompts.ts';
import { renderPrior } from '../../record/content-items.ts';
import { availableTextCounter, countText } from '../../tokens/text-counter.ts';
import { cutMiddle } from '../../tokens/cut-middle.ts';
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
export interface SummaryRequestOptions {
  readonly input: SummaryInput;
  readonly prompts: SummaryPrompts;
  /** Tokens that models read which have refused more, by {@link learnedKey}. */
  readonly learned: BoundedMap<number>;
}

/** How a model is asked, and how much it can read. */
export interface SummaryRequests {
  /** Tokens of messages that one call may read. */
  readonly room: number;
  /** Writes the request for a summary of the first messages of the input, which `content` holds. */
  readonly write: (read: SummaryInput, content: string) => SummaryRequest;
}

/** What is learned of a model is filed under it: what one namespace was refused is no limit for another one's texts. */
export function learnedKey(
  { namespace = '' }: Pick<SummaryInput, 'namespace'>,
  model: ModelIdentity,
): string {
  return JSON.stringify([namespace, nameOfModel(model)]);
}

/** Reads how a model is asked for the summary of an input. */
export async function requestsFor(
  { input, prompts, learned }: SummaryRequestOptions,
  model: ModelIdentity,
): Promise<SummaryRequests> {
  const { previous, usePreviousNarrative, redact } = input;
  const { count } = await availableTextCounter();
  const whole = previous ? renderPrior(previous, usePreviousNarrative, redactionDoor(redact)) : '';
  const continued = usePreviousNarrative ? prompts.update : prompts.rebase;
  const template = previous === undefined ? prompts.first : continued;
  const focus = focusOf(input);
  const framing = prompts.system + template + turnOf(input) + focus;
  const around = await countText(framing);
  const most = learned.get(learnedKey(input, model)) ?? Number.POSITIVE_INFINITY;
  const readable = Math.min(readableForSummary(input, model), most);
  const room = Math.max(readable - around, Math.floor(readable / 4));
  const prior = await countText(whole);
  const share = Math.floor(priorShare * room);
  // What is left out of it stays in the record: code keeps its items.
  const priorSummary =
    prior <= share
      ? whole
      : escapeJson(cutMiddle(whole, Math.floor((whole.length * share) / prior)).text);
  const write: SummaryRequests['write'] = (read, content) => {
    const source = content + priorSummary;
    const tokens = Math.min(input.maxSummaryTokens, maxAskedTokens);
    // In this text's script; at most half of what is summarised.
    const characters = Math.min(
      Math.floor(tokens * charactersOfToken(source, count) * narrativeShare),
      Math.floor(source.length / 2),
    );
    const asked = fillTemplate(template, {
      content,
      context: escapeJson({ messages: read.messages.length }),
      prior_summary: priorSummary,
      max_chars: String(Math.max(leastNarrativeCharacters, characters)),
    });
    const kind = previous === undefined ? 'first' : 'update';
    return { kind, instructions: prompts.system, prompt: asked + turnOf(read) + focus };
  };
  return { room: room - Math.min(prior, share), write };
}

/**
 * Which messages are the beginning of a turn that goes on: their end is no answer, and other messages, or an earlier
 * record, come before it. Empty where there are none.
 */
function turnOf(input: SummaryInput): string {
  const { messages, previous } = input;
  const last = messages.at(-1);
  const calls = last?.role === 'assistant' && last.content.some(({ type }) => type === 'tool-call');
  const start = messages.findLastIndex(({ role }) => role === 'user');
  const isApart = start > 0 || (start === 0 && previous !== undefined);
  if (!isApart || (last?.role !== 'tool' && !calls)) return '';
  const position = messagePositions(input).positionOf(start);
  return `\n${fillTemplate(turnPrompt, { content: String(position) })}`;
}

/** What the caller wants of this one summary, as JSON with what it means; empty for nothing. */
function focusOf({ instructions = '' }: SummaryInput): string {
  return instructions.trim() === ''
    ? ''
    : `\n${fillTemplate(focusPrompt, { content: escapeJson(instructions) })}`;
}
