/**
 * Runs work and returns what was rejected in the meantime without anybody there to handle it. In an
 * application each of these ends the process.
 */
export async function unhandledRejections(work: () => Promise<unknown>): Promise<unknown[]> {
  const reported: unknown[] = [];
  const listeners = process.listeners('unhandledRejection');
  const report = (reason: unknown): void => void reported.push(reason);
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', report);
  try {
    await work();
    // Node reports after the microtasks of a turn; two turns for what a rejection sets off.
    for (let turn = 0; turn < 2; turn += 1)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
  } finally {
    process.off('unhandledRejection', report);
    for (const listener of listeners) process.on('unhandledRejection', listener);
  }
  return reported;
}
