import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';

/** A server that speaks OpenAI's Responses API as far as the app needs it, and fails on demand. */
export interface ProviderServer {
  readonly url: string;
  /** Status of its answers; anything but 200 is an error. */
  status: number;
  /** Its answer. */
  answer: string;
  /** Its text for a summary. */
  summary: string;
  /** The promise that it awaits before it writes one. */
  held: Promise<void> | undefined;
  readonly close: () => void;
}

interface Asked {
  readonly stream?: boolean;
  /** A summary is asked for by a schema, and nothing else is. */
  readonly text?: { readonly format?: { readonly type: string } };
}

/** Starts a {@link ProviderServer} on a free port. */
export async function startProviderServer(): Promise<ProviderServer> {
  // An idle connection that a busy machine leaves to its time-out would be reset under the next request.
  const http = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const body: Asked = JSON.parse(await readText(request));
    if (state.status !== 200) return refuse(response, state.status);
    const isSummary = body.text?.format?.type === 'json_schema';
    if (isSummary) await state.held;
    const text = isSummary ? state.summary : state.answer;
    return body.stream === true ? stream(response, text) : answer(response, text);
  }).listen(0);
  await once(http, 'listening');
  const address = http.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const state: ProviderServer = {
    url: `http://localhost:${port}/v1`,
    status: 200,
    answer: 'This is an answer.',
    summary: '',
    held: undefined,
    close: () => void http.close(),
  };
  return state;
}

const head = { id: 'resp_1', created_at: 1, model: 'gpt-5-mini' };
const usage = { input_tokens: 100, output_tokens: 5 };
const item = { type: 'message', id: 'msg_1', role: 'assistant' };

function refuse(response: ServerResponse, status: number): void {
  // Retried at once: the tests need not wait.
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '10' });
  response.end(JSON.stringify({ error: { message: 'No.', type: 'error', code: null } }));
}

function answer(response: ServerResponse, text: string): void {
  const content = [{ type: 'output_text', text, annotations: [] }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...head, output: [{ ...item, content }], usage }));
}

function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = [
    { type: 'response.created', response: head },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_text.delta', item_id: item.id, delta: text },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...head, usage } },
  ];
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end('data: [DONE]\n\n');
}
