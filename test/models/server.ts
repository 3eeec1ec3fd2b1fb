import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

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
  readonly body: Readonly<Record<string, unknown>>;
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
    const path = incoming.url ?? '';
    const request = requestOf(path, await bodyOf(incoming), counts.records);
    if (request.isForRecord) counts.records += 1;
    const refusal = rules.refuse?.(request);
    if (refusal !== undefined) {
      if (request.isForRecord) counts.refused += 1;
      outgoing.writeHead(refusal.status, {
        'content-type': 'application/json',
        ...refusal.headers,
      });
      outgoing.end(JSON.stringify(refusal.body));
      return;
    }
    const read = Math.min(request.tokens, rules.silentLimit ?? Infinity);
    if (request.isForRecord) counts.tokens += read;
    await send(outgoing, dialectOf(path), request, { ...rules, read });
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts: () => ({ ...counts }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function requestOf(
  path: string,
  body: Readonly<Record<string, unknown>>,
  earlierForRecord: number,
): ServerRequest {
  const messages = messagesIn(body);
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  return {
    messages,
    tokens: Math.ceil(characters / charactersOfToken),
    isForRecord: messages.some(({ text }) => text.includes(recordWords)),
    isStreamed: body['stream'] === true || path.includes('streamGenerateContent'),
    body,
    earlierForRecord,
  };
}

function messagesIn(body: Readonly<Record<string, unknown>>): readonly SentMessage[] {
  const { system, systemInstruction, messages = [], contents = [] } = body;
  const systems = [system, systemInstruction].filter((each) => each !== undefined);
  return [
    ...systems.map((each) => ({ role: 'system', text: textIn(each) })),
    ...[...listOf(messages), ...listOf(contents)].map((each) => ({
      role: String(Reflect.get(Object(each), 'role')),
      text: textIn(each),
    })),
  ];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** All texts of a message, whatever its form. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { content, parts, text } = Object.fromEntries(Object.entries(value));
  return textIn(content) + textIn(parts) + textIn(text);
}

type Dialect = 'openai' | 'google' | 'anthropic';

function dialectOf(path: string): Dialect {
  if (path.includes('enerateContent')) return 'google';
  return path.endsWith('/messages') ? 'anthropic' : 'openai';
}

async function send(
  outgoing: ServerResponse,
  dialect: Dialect,
  request: ServerRequest,
  { write, finishReason, recordMs = 0, read }: ServerRules & { readonly read: number },
): Promise<void> {
  const { isForRecord, isStreamed } = request;
  const plain = isForRecord ? recordOf(request) : 'Understood.';
  const text = write?.(plain, request) ?? plain;
  const reason = (isForRecord ? finishReason : undefined) ?? 'stop';
  const written = { text, reason, read, wrote: Math.ceil(text.length / charactersOfToken) };
  if (!isStreamed) {
    if (isForRecord) await delay(recordMs);
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(wholeIn[dialect](written)));
    return;
  }
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  const pieces = text.match(/[^]{1,200}/g) ?? [];
  for (const event of eventsIn[dialect](written, pieces)) {
    if (isForRecord && recordMs > 0) await delay(recordMs / (pieces.length + 1));
    const { name, data } = event;
    outgoing.write(
      `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
    );
  }
  if (dialect === 'openai') outgoing.write('data: [DONE]\n\n');
  outgoing.end();
}

/** A record of what was read: who writes names the tickets, as a model would. */
function recordOf({ messages }: ServerRequest): string {
  const tickets = new Set(messages.flatMap(({ text }) => text.match(/TICKET-\d+/g) ?? []));
  return JSON.stringify({
    summary: 'The user went through tickets with the assistant. They go on with the next one.',
    keyPoints: [...tickets]
      .slice(-20)
      .map((ticket) => ({ text: `${ticket} is done.`, message: null })),
    context: {
      participants: [],
      decisions: [],
      actionItems: [],
      unresolved: [],
      domainEntities: [...tickets],
      constraints: [],
    },
    ended: [],
    resolved: [],
    superseded: [],
  });
}

interface Written {
  readonly text: string;
  readonly reason: string;
  readonly read: number;
  readonly wrote: number;
}

const wholeIn: Readonly<Record<Dialect, (written: Written) => unknown>> = {
  openai: ({ text, reason, read, wrote }) => ({
    id: '1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: reason }],
    usage: { prompt_tokens: read, completion_tokens: wrote, total_tokens: read + wrote },
  }),
  google: ({ text, read, wrote }) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: read, candidatesTokenCount: wrote },
  }),
  anthropic: ({ text, read, wrote }) => ({
    type: 'message',
    id: '1',
    model: 'm',
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: read, output_tokens: wrote },
  }),
};

interface StreamEvent {
  readonly name?: string;
  readonly data: unknown;
}

const eventsIn: Readonly<
  Record<Dialect, (written: Written, pieces: readonly string[]) => readonly StreamEvent[]>
> = {
  openai: ({ reason, read, wrote }, pieces) => {
    const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' };
    return [
      ...pieces.map((content) => ({
        data: { ...chunk, choices: [{ index: 0, delta: { role: 'assistant', content } }] },
      })),
      { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] } },
      {
        data: {
          ...chunk,
          choices: [],
          usage: { prompt_tokens: read, completion_tokens: wrote, total_tokens: read + wrote },
        },
      },
    ];
  },
  google: ({ read, wrote }, pieces) =>
    pieces.map((text, index) => ({
      data: {
        candidates: [
          {
            content: { role: 'model', parts: [{ text }] },
            index: 0,
            ...(index === pieces.length - 1 ? { finishReason: 'STOP' } : {}),
          },
        ],
        usageMetadata: { promptTokenCount: read, candidatesTokenCount: wrote },
      },
    })),
  anthropic: ({ read, wrote }, pieces) => {
    const usage = { input_tokens: read, output_tokens: 0 };
    const message = { id: '1', type: 'message', role: 'assistant', model: 'm', content: [], usage };
    const event = (name: string, data: object = {}): StreamEvent => ({
      name,
      data: { type: name, ...data },
    });
    const start = { index: 0, content_block: { type: 'text', text: '' } };
    return [
      event('message_start', { message }),
      event('content_block_start', start),
      ...pieces.map((text) =>
        event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
      ),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: wrote },
      }),
      event('message_stop'),
    ];
  },
};
