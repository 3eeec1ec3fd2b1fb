/** The task or repository in the ids of the corpora: attempts at the same one belong together. */
const sources = /tau-airline-\d+|marshmallow|pydicom|humaneval|test-repo|ctf~[a-z]+/;

/** Conversations that weights were tuned on, and those that figures are of. */
export interface Parts<Item> {
  readonly tuned: readonly Item[];
  readonly reported: readonly Item[];
}

/**
 * Splits by source, so that nothing is reported of what was tuned on: of the tasks and repositories of a
 * corpus, in the order of their first conversation, every other one is reported, with all that is about it.
 */
export function splitBySource<Item extends { readonly id: string }>(
  conversations: readonly Item[],
): Parts<Item> {
  const numbers = new Map<string, number>();
  const isReported = ({ id }: Item): boolean => {
    const source = sources.exec(id)?.[0] ?? id;
    const number = numbers.get(source) ?? numbers.size;
    numbers.set(source, number);
    return number % 2 === 0;
  };
  const parts = Map.groupBy(conversations, isReported);
  return { tuned: parts.get(false) ?? [], reported: parts.get(true) ?? [] };
}
