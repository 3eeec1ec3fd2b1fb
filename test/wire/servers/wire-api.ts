import type { IncomingHttpHeaders } from 'node:http';
import type { JsonRecord } from '../json-view.ts';
import type { RuleViolation } from '../rules/rule-violation.ts';

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
}

/** One provider's HTTP interface: what it demands, and how it answers. */
export interface WireApi {
  /** The rules a request breaks. */
  readonly rules: (request: WireRequest) => RuleViolation[];
  /** Whether violations of severity `S` are rejected too. */
  readonly isStrict: boolean;
  /** The error response to a violation. */
  readonly refuse: (violation: RuleViolation) => WireReply;
  /** The response to a legal request, streamed if it asks for that. */
  readonly answer: (request: WireRequest) => WireReply;
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
