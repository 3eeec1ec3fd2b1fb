import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { lengthInTable } from '../../tokens/context-lengths/length-in-table.ts';
import { CommandError } from './command-error.ts';

/**
 * Tokens that a model accepts.
 *
 * @param name - What the user calls it.
 * @throws {CommandError} where nobody knows.
 */
export function knownContext(name: string, identity: ModelIdentity): number {
  const { known, contextLength, inputLimit } = lengthInTable(identity);
  if (!known)
    throw new CommandError(`The context length of ${name} is not known: name it with --context.`);
  return inputLimit ?? contextLength;
}
