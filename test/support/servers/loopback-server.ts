import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** An HTTP server on this machine. */
export interface LoopbackServer {
  /** Without a path. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts an HTTP server. It closes no idle connection by itself: on a busy machine a client would send its next request
 * just then, and find the connection reset.
 */
export async function startLoopbackServer(answer: RequestListener): Promise<LoopbackServer> {
  const server = createServer({ keepAliveTimeout: 0 }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
