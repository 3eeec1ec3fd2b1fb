import { codeOf } from '../util/code-of.ts';

/**
 * What a client says of a failure, or what kind it is. Errors of clients hold the whole command or statement, and with
 * it what was to be stored: nothing else of them goes further.
 */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  // Upstash has it in the message.
  const [message = ''] = error.message.split(', command was:');
  if (message !== '') return message;
  const code = codeOf(error);
  // Those of redis say with their class alone what they are.
  return code === 'Error' ? error.constructor.name : code;
}
