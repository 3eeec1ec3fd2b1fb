import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { startLoopbackServer } from './loopback-server.ts';

/** A server that speaks the Chat Completions API, and counts what it is asked for. */
export interface ChatServer {
  readonly url: string;
  /** Summaries that it was asked for: each of them is a bill. */
  readonly bills: () => number;
  /** Prompts of the other calls, the newest last. */
  readonly prompts: readonly string[];
  readonly close: () => Promise<void>;
}

/** What a {@link ChatServer} answers. */
export interface ChatServerOptions {
  /** Whether it never answers when it is asked for the first summary. */
  readonly isSilentAtFirst?: boolean | undefined;
  /**
   * The file that it asks `read_file` for, in its so many-th call from 0; without one it answers with a text.
   * @default never
   */
  readonly fileOf?: ((call: number) => Promise<string | undefined>) | undefined;
}

// Nothing of the package is imported: examples check their types with this file in them.
const summary = { summary: 'They spoke of rivers.', keyPoints: [] };

/** Starts a {@link ChatServer}. */
export async function startChatServer({
  isSilentAtFirst = false,
  fileOf = async () => undefined,
}: ChatServerOptions = {}): Promise<ChatServer> {
  const prompts: string[] = [];
  let bills = 0;
  const server = await startLoopbackServer(async (request, response) => {
    const { messages, response_format: format, stream } = Object(await json(request));
    const answerWith = (said: object): void => sendAnswer(response, said, stream === true);
    if (format !== undefined) {
      bills += 1;
      if (!isSilentAtFirst || bills > 1) answerWith({ content: JSON.stringify(summary) });
      return;
    }
    prompts.push(JSON.stringify(messages));
    const name = await fileOf(prompts.length - 1);
    const said = name === undefined ? { content: 'Understood.' } : calling(name, prompts.length);
    answerWith(said);
  });
  return {
    url: `${server.url}/v1`,
    bills: () => bills,
    prompts,
    close: server.stop,
  };
}

function calling(name: string, call: number): object {
  const called = { name: 'read_file', arguments: JSON.stringify({ name }) };
  return { tool_calls: [{ index: 0, id: `call_${call}`, type: 'function', function: called }] };
}

const answer = { id: 'answer', created: 1, model: 'a-model' };

/** Answers a call with what a model says, all at once or as a stream. */
export function sendAnswer(response: ServerResponse, said: object, isStream: boolean): void {
  (isStream ? sendStream : send)(response, said);
}

function finishReason(said: object): string {
  return 'tool_calls' in said ? 'tool_calls' : 'stop';
}

function send(response: ServerResponse, said: object): void {
  const message = { role: 'assistant', content: '', ...said };
  const choices = [{ index: 0, message, finish_reason: finishReason(said) }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...answer, choices }));
}

function sendStream(response: ServerResponse, said: object): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const choices = [
    { index: 0, delta: { role: 'assistant', ...said }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finishReason(said) },
  ];
  for (const choice of choices)
    response.write(`data: ${JSON.stringify({ ...answer, choices: [choice] })}\n\n`);
  response.end('data: [DONE]\n\n');
}
