/** What is known of the beginning of a conversation. */
export interface KnownPrefix {
  /** Cryptographic digest of its canonical form. */
  readonly digest: string;
  /** Characters of its canonical form. */
  readonly length: number;
}

/**
 * Remembers the digests of prefixes that this process has computed, under a fingerprint of 64 bits and
 * the number of messages, so that a known prefix is hashed cheaply and not canonicalised again. Holds
 * no text.
 */
export interface PrefixMemory {
  readonly get: (key: string) => KnownPrefix | undefined;
  readonly set: (key: string, prefix: KnownPrefix) => void;
}

/** Prefixes remembered, about 250 bytes each. */
const maxPrefixes = 10_000;

/** Makes a memory that forgets what was not used for longest. */
export function prefixMemory(): PrefixMemory {
  const prefixes = new Map<string, KnownPrefix>();
  return {
    get: (key) => {
      const prefix = prefixes.get(key);
      if (prefix === undefined) return undefined;
      prefixes.delete(key);
      prefixes.set(key, prefix);
      return prefix;
    },
    set: (key, prefix) => {
      prefixes.set(key, prefix);
      const [oldest] = prefixes.keys();
      if (prefixes.size > maxPrefixes && oldest !== undefined) prefixes.delete(oldest);
    },
  };
}
