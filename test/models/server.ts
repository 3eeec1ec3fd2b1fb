import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { emptyContent } from '../support/empty-content.ts';
import { startLoopbackServer } from '../support/servers/loopback-server.ts';
import { anthropicApi } from '../wire/apis/anthropic.ts';
import { openaiChatApi } from '../wire/apis/chat.ts';
import { googleApi } from '../wire/apis/google.ts';
import { jsonReply, type WireApi, type WireReply } from '../wire/apis/wire-api.ts';
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
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a server is like. */
export interface ServerRules {
  readonly refuse?: (request: ServerRequest) => Refusal | undefined;
  /** Tokens that it reads, where it drops what is before them without a word. */
  readonly silentLimit?: number;
  /** What it puts around what it writes. */
  readonly write?: (answer: string, request: ServerRequest) => string;
  /** How a record ends. */
  readonly finishReason?: string;
  /** Milliseconds that a record takes, in which it keeps sending. */
  readonly recordMs?: number;
}

/** A server that runs. */
export interface RunningServer {
  readonly url: string;
  readonly counts: () => {
    readonly records: number;
    readonly refused: number;
    readonly tokens: number;
  };
  readonly close: () => Promise<void>;
}

/** Characters of English for one token, about. */
export const charactersOfToken = 4;

/** Words that stand in each request for a record, and in no other. */
const recordWords = 'You keep the record of a conversation.';

/** Starts a server that speaks the APIs of OpenAI (chat), Google and Anthropic. */
export async function startServer(rules: ServerRules): Promise<RunningServer> {
  const counts = { records: 0, refused: 0, tokens: 0 };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const [path = ''] = (incoming.url ?? '').split('?');
    const request = requestOf(path, record(await json(incoming)), counts.records);
    const { isForRecord, body } = request;
    const refusal = rules.refuse?.(request);
    if (isForRecord) counts.records += 1;
    if (refusal !== undefined) {
      if (isForRecord) counts.refused += 1;
      await write(outgoing, jsonReply(refusal.status, refusal.body, refusal.headers), 0);
      return;
    }
    const input = Math.min(request.tokens, rules.silentLimit ?? Infinity);
    if (isForRecord) counts.tokens += input;
    const plain = isForRecord ? recordOf(request) : 'Understood.';
    const said = rules.write?.(plain, request) ?? plain;
    const reply = apiOf(path).answer(
      { path, headers: incoming.headers, body },
      {
        text: said,
        input,
        output: Math.ceil(said.length / charactersOfToken),
        finishReason: (isForRecord ? rules.finishReason : undefined) ?? 'stop',
      },
    );
    await write(outgoing, reply, isForRecord ? (rules.recordMs ?? 0) : 0);
  };
  const server = await startLoopbackServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return { url: server.url, counts: () => ({ ...counts }), close: server.stop };
}

function apiOf(path: string): WireApi {
  if (path.includes('enerateContent')) return googleApi;
  return path.endsWith('/messages') ? anthropicApi : openaiChatApi;
}

/** Writes a reply within so many milliseconds, and keeps writing meanwhile if it is a stream. */
async function write(
  outgoing: ServerResponse,
  { status, headers, chunks }: WireReply,
  ms: number,
): Promise<void> {
  outgoing.writeHead(status, headers);
  for (const [index, chunk] of chunks.entries()) {
    // Some twenty pauses: timers are not exact.
    const isPause = index % Math.ceil(chunks.length / 20) === 0;
    if (ms > 0 && isPause) await delay(ms / Math.min(20, chunks.length));
    outgoing.write(chunk);
  }
  outgoing.end();
}

function requestOf(path: string, body: JsonRecord, earlierForRecord: number): ServerRequest {
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
    resolved: [],
    superseded: [],
  });
}
