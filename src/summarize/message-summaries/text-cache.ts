/** Keeps texts by key, in memory. */
export interface TextCache {
  readonly get: (key: string) => string | undefined;
  readonly set: (key: string, text: string) => void;
}

/**
 * Makes a cache that forgets what was not used for longest.
 *
 * @param maxCharacters - Characters of keys and texts it may hold. A longer text is not kept.
 */
export function textCache(maxCharacters: number): TextCache {
  const texts = new Map<string, string>();
  let size = 0;
  const remove = (key: string): void => {
    const text = texts.get(key);
    if (text === undefined) return;
    texts.delete(key);
    size -= key.length + text.length;
  };
  return {
    get: (key) => {
      const text = texts.get(key);
      if (text === undefined) return undefined;
      // A map keeps the order of insertion: the first is the one to forget.
      texts.delete(key);
      texts.set(key, text);
      return text;
    },
    set: (key, text) => {
      remove(key);
      if (key.length + text.length > maxCharacters) return;
      texts.set(key, text);
      size += key.length + text.length;
      for (const oldest of texts.keys()) {
        if (size <= maxCharacters) return;
        remove(oldest);
      }
    },
  };
}
