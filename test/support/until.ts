/** Lets other work go on until something holds; the time limit of the test ends what never does. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** Lets everything that is ready to go on do so, a number of times. */
export async function turns(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await turn();
}

async function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
