import { delay } from '../util/async/waiting.ts';

const pollMs = 20;
const polls = 1500;

/** @throws {Error} saying `otherwise` unless a condition holds at one of the moments of the next 30 seconds. */
export async function eventually(
  condition: () => Promise<boolean>,
  otherwise: string,
): Promise<void> {
  for (let poll = 0; poll < polls; poll += 1) {
    if (await condition()) return;
    await delay(pollMs, undefined);
  }
  throw new Error(otherwise);
}
