/** Lets work in, at most so many at once, in the order in which it came. */
export type CallGate = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function callGate(limit: number): CallGate {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
