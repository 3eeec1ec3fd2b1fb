import { turns } from './until.ts';

const { subtle } = crypto;
let running = 0;

/** Work of other threads, which no clock and no number of turns waits for. */
for (const name of ['sign', 'verify', 'encrypt', 'decrypt', 'digest', 'deriveKey'] as const)
  Object.defineProperty(subtle, name, {
    configurable: true,
    value: new Proxy(subtle[name], {
      apply: async (operation, _self, given) => {
        running += 1;
        try {
          return await Reflect.apply(operation, subtle, given);
        } finally {
          running -= 1;
        }
      },
    }),
  });

for (const name of ['CompressionStream', 'DecompressionStream'] as const)
  Object.defineProperty(globalThis, name, {
    configurable: true,
    value: new Proxy(globalThis[name], {
      construct: (Stream, given: ConstructorParameters<typeof CompressionStream>) => {
        const { readable, writable } = new Stream(...given);
        const passedOn = new TransformStream<Uint8Array, Uint8Array>();
        running += 1;
        readable
          .pipeTo(passedOn.writable)
          .catch(() => {})
          .finally(() => (running -= 1));
        return { readable: passedOn.readable, writable };
      },
    }),
  });

/** Whether there is work of other threads. */
export function isWorkingElsewhere(): boolean {
  return running > 0;
}

/** Lets everything go on that waits for no time and for no test. */
export async function quiet(): Promise<void> {
  for (let still = 0; still < 5; still += 1) {
    await turns(1);
    if (running > 0) still = 0;
  }
}
