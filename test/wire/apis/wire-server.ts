import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { startLoopbackServer } from '../../support/servers/loopback-server.ts';
import { type JsonRecord, record } from '../json-view.ts';
import type { RuleViolation } from './rule.ts';
import type { WireApi } from './wire-api.ts';

/** Header by which a test finds its own request again. */
export const caseHeader = 'x-wire-case';

/** Header in which the server names the rules it refused a request for, separated by commas. */
export const ruleHeader = 'x-wire-rule';

/** A request the server has seen. */
export interface CapturedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonRecord;
  /** Every rule the body breaks, those that were let pass included. */
  readonly violations: readonly RuleViolation[];
}

/** A provider's API on loopback. */
export interface WireServer {
  readonly baseURL: string;
  /** The requests of one test case, oldest first. */
  readonly requestsOf: (caseId: string) => readonly CapturedRequest[];
  readonly close: () => Promise<void>;
}

/** Starts a provider's API on a free port of the loopback interface. */
export async function startWireServer(api: WireApi): Promise<WireServer> {
  const captured = new Map<string, CapturedRequest[]>();
  const server = await startLoopbackServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const path = (request.url ?? '').split('?')[0] ?? '';
    const violations = api.rules({ path, headers: request.headers, body });
    const caseId = String(request.headers[caseHeader] ?? '');
    const seen = { path, headers: request.headers, body, violations };
    captured.set(caseId, [...(captured.get(caseId) ?? []), seen]);
    respond(api, seen, response);
  };
  return {
    baseURL: server.url,
    requestsOf: (caseId) => captured.get(caseId) ?? [],
    close: server.stop,
  };
}

/** The API of the tests of a block, which starts before them and ends after them. */
export function servedApi(api: WireApi): WireServer {
  let started: WireServer | undefined;
  beforeAll(async () => {
    started = await startWireServer(api);
  });
  afterAll(async () => started?.close());
  const server = (): WireServer => {
    if (started === undefined) throw new Error('The tests have not begun.');
    return started;
  };
  return {
    get baseURL() {
      return server().baseURL;
    },
    requestsOf: (caseId) => server().requestsOf(caseId),
    close: async () => server().close(),
  };
}

async function readBody(request: IncomingMessage): Promise<JsonRecord> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) {
    if (chunk instanceof Uint8Array) chunks.push(chunk);
  }
  return record(JSON.parse(Buffer.concat(chunks).toString('utf8')));
}

function respond(api: WireApi, request: CapturedRequest, response: ServerResponse): void {
  const refused = request.violations.filter(
    ({ severity }) => severity === 'E' || (severity === 'S' && api.isStrict),
  );
  const [first] = refused;
  const reply = first === undefined ? api.answer(request) : api.refuse(first);
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(first === undefined ? {} : { [ruleHeader]: refused.map(({ rule }) => rule).join() }),
  });
  for (const chunk of reply.chunks) response.write(chunk);
  response.end();
}
