// The longest that an answer can take: `maxDuration` of the route.
const longestTurn = 60_000;

const turns = new Map<string, Promise<void>>();

/**
 * Waits until nothing is being answered in a conversation any more, and keeps others waiting until the returned
 * function is called. A user who continues right after stopping an answer finds it stored, and two answers never
 * overwrite each other.
 */
export async function takeTurn(chatId: string): Promise<() => void> {
  const before = turns.get(chatId);
  const { promise: turn, resolve } = Promise.withResolvers<void>();
  turns.set(chatId, turn);
  await before;

  const end = (): void => {
    clearTimeout(timer);
    if (turns.get(chatId) === turn) turns.delete(chatId);
    resolve();
  };
  const timer = setTimeout(end, longestTurn);
  return end;
}
