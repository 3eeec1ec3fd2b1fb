import { builtRoot } from '../built-package.ts';
import { conversation } from './conversation.ts';
import { localProcess } from './local-process.ts';

/** What many conversations cost. */
interface AlikeRow {
  /** How many of their first messages are alike. */
  readonly alike: number;
  readonly paid: number;
  /** Of every tenth one, in a process that knows nothing. */
  readonly paidAgain: number;
}

/** Serves conversations, then a part of them again in another process. */
export async function alikeRow(conversations: number, alike: number): Promise<AlikeRow> {
  const store = builtRoot.memoryStore({ maxBytes: 1024 ** 3 });
  const first = localProcess({ ...store });
  const other = localProcess({ ...store });
  for (let number = 0; number < conversations; number += 1)
    await first.send(conversation(number, alike));
  for (let number = 0; number < conversations; number += 10)
    await other.send(conversation(number, alike));
  return { alike, paid: first.bills(), paidAgain: other.bills() };
}
