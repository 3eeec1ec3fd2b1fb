import { emptyContent } from '../support/empty-content.ts';
import { anthropicApi } from '../wire/apis/anthropic.ts';
import { openaiChatApi } from '../wire/apis/chat.ts';
import { googleApi } from '../wire/apis/google.ts';
import {
  jsonReply,
  type WireApi,
  type WireReply,
  type WireRequest,
} from '../wire/apis/wire-api.ts';
import { isRecord, type JsonRecord, list, record, text } from '../wire/json-view.ts';

/** A message of a request, in the same form whatever the API. */
export interface SentMessage {
  readonly role: string;
  readonly text: string;
}

/** A request as a server sees it. */
export interface ServerRequest {
  readonly messages: readonly SentMessage[];
  readonly tokens: number;
  /** Whether it asks for a record. */
  readonly isForRecord: boolean;
  readonly isStreamed: boolean;
  /** Its body, for what only one API has. */
  readonly body: JsonRecord;
  /** How many for a record there were before it. */
  readonly earlierForRecord: number;
}

/** What a server says instead of an answer. */
export interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

/** What a server is like. */
export interface ServerRules {
  readonly refuse?: (request: ServerRequest) => Refusal | undefined;
  /** Tokens that it reads, where it drops what is before them without a word. */
  readonly silentLimit?: number;
  /** What it puts around what it writes. */
  readonly write?: (answer: string) => string;
  /** How a record ends. */
  readonly finishReason?: string;
  /** Milliseconds that a record takes, in which it keeps sending. */
  readonly recordMs?: number;
}

/** Characters of English for one token, about. */
export const charactersOfToken = 4;

/** Words that stand in each request for a record, and in no other. */
const recordWords = 'You keep the record of a conversation.';

/** A server that speaks the APIs of OpenAI (chat), Google and Anthropic, and what became of requests for records. */
export function serverOf(rules: ServerRules): WireApi & {
  readonly counts: { readonly records: number; readonly refused: number; readonly tokens: number };
} {
  const counts = { records: 0, refused: 0, tokens: 0 };
  const answer: WireApi['answer'] = (asked) => {
    const request = requestOf(asked, counts.records);
    const { isForRecord } = request;
    const refusal = rules.refuse?.(request);
    if (isForRecord) counts.records += 1;
    if (refusal !== undefined) {
      if (isForRecord) counts.refused += 1;
      return jsonReply(refusal.status, refusal.body);
    }
    const input = Math.min(request.tokens, rules.silentLimit ?? Infinity);
    if (isForRecord) counts.tokens += input;
    const plain = isForRecord ? recordOf(request) : 'Understood.';
    const said = rules.write?.(plain) ?? plain;
    const output = Math.ceil(said.length / charactersOfToken);
    const finishReason = (isForRecord ? rules.finishReason : undefined) ?? 'stop';
    const reply = apiOf(asked.path).answer(asked, { text: said, input, output, finishReason });
    return isForRecord ? within(rules.recordMs ?? 0, reply) : reply;
  };
  const refuse = (): never => {
    throw new Error('It has no rules of the wire.');
  };
  return { rules: () => [], isStrict: false, refuse, answer, counts };
}

/** Writes a reply within so many milliseconds, in some twenty pieces: timers are not exact. */
function within(ms: number, reply: WireReply): WireReply {
  if (ms === 0) return reply;
  const size = Math.ceil(reply.chunks.length / 20);
  const chunks = reply.chunks.flatMap((_, index) =>
    index % size === 0 ? [reply.chunks.slice(index, index + size).join('')] : [],
  );
  return { ...reply, chunks, pauseMs: ms / chunks.length };
}

function apiOf(path: string): WireApi {
  if (path.includes('enerateContent')) return googleApi;
  return path.endsWith('/messages') ? anthropicApi : openaiChatApi;
}

function requestOf({ path, body }: WireRequest, earlierForRecord: number): ServerRequest {
  const messages = messagesIn(body);
  const characters = messages.reduce((sum, each) => sum + each.text.length, 0);
  return {
    messages,
    tokens: Math.ceil(characters / charactersOfToken),
    isForRecord: messages.some((each) => each.text.includes(recordWords)),
    isStreamed: body.stream === true || path.includes('streamGenerateContent'),
    body,
    earlierForRecord,
  };
}

function messagesIn({ system, systemInstruction, messages, contents }: JsonRecord): SentMessage[] {
  const systems = [system, systemInstruction].filter((each) => each !== undefined);
  return [
    ...systems.map((each) => ({ role: 'system', text: textIn(each) })),
    ...[...list(messages), ...list(contents)].map((each) => ({
      role: text(record(each).role),
      text: textIn(each),
    })),
  ];
}

/** All texts of a message, whatever its form. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  return isRecord(value) ? textIn(value.content) + textIn(value.parts) + textIn(value.text) : '';
}

/** A record of what was read: who writes names the tickets, as a model would. */
function recordOf({ messages }: ServerRequest): string {
  const tickets = [...new Set(messages.flatMap((each) => each.text.match(/TICKET-\d+/g) ?? []))];
  const content = emptyContent('The user went through tickets. They go on with the next one.');
  return JSON.stringify({
    ...content,
    keyPoints: tickets.slice(-20).map((ticket) => ({ text: `${ticket} is done.`, message: null })),
    context: { ...content.context, domainEntities: tickets },
    ended: [],
  });
}
