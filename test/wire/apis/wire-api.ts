import type { IncomingHttpHeaders } from 'node:http';
import { emptyContent } from '../../support/empty-content.ts';
import { type JsonRecord, text } from '../json-view.ts';
import type { RuleViolation } from './rule.ts';

/** A request as the server read it. */
export interface WireRequest {
  /** Path without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonRecord;
}

/** What the server answers. */
export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Written one by one, so that a stream arrives in pieces. */
  readonly chunks: readonly (string | Uint8Array)[];
  /** Milliseconds before each of them. @default 0 */
  readonly pauseMs?: number;
}

/** What a model says, and the tokens that it took. */
export interface Said {
  readonly text: string;
  readonly input: number;
  /** Tokens of the input that stood in the provider's cache. */
  readonly cached: number;
  readonly output: number;
  /** As chat completions name it. */
  readonly finishReason: string;
}

/** One provider's HTTP interface: what it demands, and how it answers. */
export interface WireApi {
  /** The rules a request breaks. */
  readonly rules: (request: WireRequest) => RuleViolation[];
  /** Whether violations of severity `S` are rejected too. */
  readonly isStrict: boolean;
  /** The error response to a violation. */
  readonly refuse: (violation: RuleViolation) => WireReply;
  /** The response to a legal request, streamed if it asks for that. @default says what {@link saying} does */
  readonly answer: (request: WireRequest, said?: Partial<Said>) => WireReply;
}

/** What the servers say to an ordinary request. */
export const plainAnswer = 'Everything is in order.';

/** What the servers say when a JSON object is asked for: a short summary. */
const summaryAnswer: string = JSON.stringify({
  ...emptyContent('The user had a repository inspected and its parser repaired.'),
  keyPoints: ['The parser lost the last token of a line.'],
});

/** What is said to a request, as far as it is not given. */
export function saying(isObject: boolean, given: Partial<Said> = {}): Said {
  const said = isObject ? summaryAnswer : plainAnswer;
  return { text: said, input: 100, cached: 0, output: 10, finishReason: 'stop', ...given };
}

/** A JSON response. */
export function jsonReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): WireReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    chunks: [JSON.stringify(body)],
  };
}

/** A stream of server-sent events; `end` is a last line such as OpenAI's `[DONE]`. */
export function sseReply(events: readonly JsonRecord[], end?: string): WireReply {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    chunks: [
      ...events.map((event) => JSON.stringify(event)),
      ...(end === undefined ? [] : [end]),
    ].map((data) => `data: ${data}\n\n`),
  };
}

/** As {@link sseReply}, with the event's `type` as its name, as Anthropic and OpenAI Responses do it. */
export function namedSseReply(events: readonly JsonRecord[]): WireReply {
  const chunks = events.map(
    (event) => `event: ${text(event.type)}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  return { ...sseReply([]), chunks };
}

/** Cuts a text into pieces of about ten characters, as a model streams it. */
export function pieces(content: string): string[] {
  return content.match(/[\s\S]{1,10}/g) ?? [];
}
