import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { startLoopbackServer } from './loopback-server.ts';

/** A server on this machine that speaks Upstash's REST in front of a Redis server. */
export interface UpstashFront {
  readonly url: string;
  readonly token: string;
  readonly stop: () => Promise<void>;
}

type Command = readonly unknown[];
type Answer = { readonly result: unknown } | { readonly error: string };

/**
 * Answers what the client of Upstash sends, as its REST documentation has it: one command or a pipeline of
 * commands as JSON, a bearer token, and results in base64 for those who ask for it.
 */
export async function startUpstashFront(redisUrl: string): Promise<UpstashFront> {
  const token = crypto.randomUUID();
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: 0, retryStrategy: () => 20 });
  redis.on('error', () => {});
  const answerTo = async (request: IncomingMessage, isBase64: boolean): Promise<unknown> => {
    const path = request.url?.split('/').at(-1) ?? '';
    const body: unknown = JSON.parse(await text(request));
    if (!Array.isArray(body)) return { error: 'ERR failed to parse command' };
    if (path !== 'pipeline') return run(redis, body, isBase64);
    const commands: readonly Command[] = body;
    return Promise.all(commands.map(async (command) => run(redis, command, isBase64)));
  };
  const server = await startLoopbackServer(async (request, response) => {
    const send = (status: number, answer: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer));
    };
    if (request.headers.authorization !== `Bearer ${token}`)
      return send(401, { error: 'Unauthorized: Invalid auth token' });
    const answer = await answerTo(request, request.headers['upstash-encoding'] === 'base64');
    const isError = typeof answer === 'object' && answer !== null && 'error' in answer;
    return send(isError ? 400 : 200, answer);
  });
  return {
    url: server.url,
    token,
    stop: async () => {
      redis.disconnect();
      await server.stop();
    },
  };
}

async function run(redis: Redis, command: Command, isBase64: boolean): Promise<Answer> {
  const [name = '', ...values] = command.map(String);
  try {
    const result: unknown = await redis.call(name, ...values);
    const isText = typeof result === 'string' && result !== 'OK';
    return { result: isText && isBase64 ? Buffer.from(result).toString('base64') : result };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
