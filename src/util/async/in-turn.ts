/** Runs work under a key after all work that was given before it under that key has ended. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Makes the queues of a set of keys. Work that fails does not hold up what comes after it. */
export function turns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, turn);
    const leave = (): void => {
      if (last.get(key) === turn) last.delete(key);
    };
    turn.then(leave, leave);
    return turn;
  };
}
