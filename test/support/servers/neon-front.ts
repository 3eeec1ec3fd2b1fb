import { text } from 'node:stream/consumers';
import { DatabaseError, type Pool } from 'pg';
import { startLoopbackServer } from './loopback-server.ts';

/** A server on this machine that speaks Neon's SQL over HTTP in front of a Postgres server. */
export interface NeonFront {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Answers one query at a time as Neon does: rows as lists of texts, and errors with their codes. */
export async function startNeonFront(pool: Pool): Promise<NeonFront> {
  const server = await startLoopbackServer(async (request, response) => {
    const { query, params }: { query: string; params: unknown[] } = JSON.parse(await text(request));
    const send = (status: number, answer: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(answer));
    };
    try {
      const types = { getTypeParser: () => String };
      const answer = await pool.query({ text: query, values: params, rowMode: 'array', types });
      const { fields, rows, rowCount, command } = answer;
      send(200, { fields, rows, rowCount, command });
    } catch (error) {
      const { code, message } = error instanceof DatabaseError ? error : { message: String(error) };
      send(400, { code, message });
    }
  });
  return {
    url: `${server.url}/sql`,
    stop: server.stop,
  };
}
