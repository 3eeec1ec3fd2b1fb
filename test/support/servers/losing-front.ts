import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A front of a server, over which some answers are lost. */
export interface LosingFront {
  readonly port: number;
  /** How many answers were lost. */
  readonly lost: () => number;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a front of a Redis server on this machine. The first answer to each command that is to lose it
 * ends its connection instead, when the server has done what was asked.
 *
 * @param losesAnswer - By the bytes of the command.
 */
export async function startLosingFront(
  port: number,
  losesAnswer: (command: string) => boolean,
): Promise<LosingFront> {
  const sockets = new Set<Socket>();
  const seen = new Set<string>();
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let isLost = false;
    const end = (): void => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (command) => {
      const text = command.toString('latin1');
      isLost ||= losesAnswer(text) && !seen.has(text);
      if (isLost) seen.add(text);
      upstream.write(command);
    });
    upstream.on('data', (answer) => (isLost ? end() : client.write(answer)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return {
    port: address.port,
    lost: () => seen.size,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
