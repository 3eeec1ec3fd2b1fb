'use client';

import { convertToModelMessages } from 'ai';
import { useEffect, useState } from 'react';
import type { ChatMessage } from '../lib/chat-message.ts';

/** Ids of the messages that the model no longer reads, because a summary stands for them. */
export function useCoveredIds(messages: readonly ChatMessage[]): ReadonlySet<string> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const calls = messages.flatMap(({ metadata }) => metadata?.calls ?? []);
  const covered = calls.at(-1)?.coveredMessages ?? 0;

  useEffect(() => {
    let isCurrent = true;
    void coveredIds(messages, covered).then((found) => isCurrent && setIds(found));
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- while an answer grows, nothing changes before it.
  }, [covered, messages.length]);

  return ids;
}

/** Only the SDK knows how many messages one of the page is for the model: each use of a tool is two. */
async function coveredIds(
  messages: readonly ChatMessage[],
  covered: number,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let count = 0;
  for (const message of messages) {
    count += (await convertToModelMessages([message], { ignoreIncompleteToolCalls: true })).length;
    if (count > covered) break;
    ids.add(message.id);
  }
  return ids;
}
