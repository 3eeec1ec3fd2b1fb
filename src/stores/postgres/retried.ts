import { codeOf } from '../../util/code-of.ts';

/**
 * Failures of a statement that says of itself that it may be repeated: others were quicker to write the row
 * (where transactions are serializable), there was a deadlock, or others were making the same table.
 */
const passing: ReadonlySet<string> = new Set(['40001', '40P01', '23505', '42P07', '42710']);

const maxTries = 5;

/** Repeats a statement while others get in its way. */
export async function retried<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxTries || !passing.has(codeOf(error))) throw error;
    }
  }
}
