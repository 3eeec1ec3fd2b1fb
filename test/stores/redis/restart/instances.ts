import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A conversation that an instance is to answer. */
export interface Asked {
  readonly id: number;
  readonly name: string;
  readonly messages: number;
}

/** That an instance asks a model for the summary of a conversation. */
export interface Paying {
  readonly paying: string;
}

export interface Answered {
  readonly id: number;
  readonly tookMs: number;
  /** The summary that the model was sent. */
  readonly summary: string | undefined;
}

/** An instance of an application, in a process of its own. */
export interface Instance {
  /** Resolves when its client has lost its connection and has another one. */
  readonly reconnected: Promise<void>;
  readonly ask: (name: string, messages: number) => Promise<Answered>;
  readonly end: () => Promise<void>;
}

const script = fileURLToPath(new URL('instance.ts', import.meta.url));
const hooks = new URL('../../../support/markdown-as-text.ts', import.meta.url).href;

/**
 * Starts an instance.
 *
 * @param onPaying - Hears of each summary that it asks a model for.
 */
export async function startInstance(
  given: readonly string[],
  onPaying: (name: string) => void,
): Promise<Instance> {
  const child = fork(script, [...given], { execArgv: ['--no-warnings', '--import', hooks] });
  const exited = once(child, 'exit');
  const waiting = new Map<number, (answered: Answered) => void>();
  const connections = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const [first, second] = connections;
  let connected = 0;
  void exited.then(() => first.reject(new Error('The instance has ended.')));
  child.on('message', (message: Answered | Paying | 'connected') => {
    if (message === 'connected') connections[connected++]?.resolve();
    else if ('paying' in message) onPaying(message.paying);
    else waiting.get(message.id)?.(message);
  });
  await first.promise;
  let asked = 0;
  return {
    reconnected: second.promise,
    ask: async (name, messages) => {
      const id = (asked += 1);
      const { promise, resolve } = Promise.withResolvers<Answered>();
      waiting.set(id, resolve);
      child.send({ id, name, messages } satisfies Asked);
      return promise;
    },
    end: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
