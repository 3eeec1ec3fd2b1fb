import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/** A server that speaks the Chat Completions API, and counts what it is asked for. */
export interface ModelServer {
  readonly url: string;
  /** Summaries that it was asked for: each of them is a bill. */
  readonly bills: () => number;
  /** Prompts of the other calls, the newest last. */
  readonly prompts: readonly string[];
  readonly close: () => void;
}

const summary = {
  summary: 'They spoke of rivers.',
  keyPoints: [],
  context: {
    participants: [],
    decisions: [],
    actionItems: [],
    unresolved: [],
    domainEntities: [],
    constraints: [],
  },
};

/** Starts a {@link ModelServer} that never answers when it is asked for the first summary. */
export async function startModelServer(): Promise<ModelServer> {
  const prompts: string[] = [];
  let bills = 0;
  const server = createServer(async (request, response) => {
    const { messages, response_format: format } = Object(await json(request));
    if (format === undefined) prompts.push(JSON.stringify(messages));
    else bills += 1;
    if (format !== undefined && bills === 1) return;
    const content = format === undefined ? 'Understood.' : JSON.stringify(summary);
    const message = { role: 'assistant', content };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'answer', created: 1, model: 'a-model', choices }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    bills: () => bills,
    prompts,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
