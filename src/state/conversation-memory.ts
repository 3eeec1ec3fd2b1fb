import { prefixMemory, type PrefixMemory } from '../identity/prefix-memory.ts';
import { tokenCalibration, type TokenCalibration } from '../tokens/token-calibration.ts';
import { usageMemory, type UsageMemory } from '../tokens/usage-memory.ts';
import { storedReader, type StoredReader } from './stored-reader.ts';
import type { SummaryStore } from './summary-store.ts';

/** What this process remembers of the conversations in one namespace of a store. */
export interface ConversationMemory {
  readonly prefixes: PrefixMemory;
  readonly usage: UsageMemory;
  readonly calibration: TokenCalibration;
  readonly reader: StoredReader;
}

const memories = new WeakMap<SummaryStore, Map<string, ConversationMemory>>();

/**
 * The memory that goes with a store and a namespace: middlewares made anew for each request share it
 * when they share the store.
 */
export function conversationMemory(store: SummaryStore, namespace: string): ConversationMemory {
  const ofStore = memories.get(store) ?? new Map<string, ConversationMemory>();
  memories.set(store, ofStore);
  const memory = ofStore.get(namespace) ?? {
    prefixes: prefixMemory(),
    usage: usageMemory(),
    calibration: tokenCalibration(),
    reader: storedReader(),
  };
  ofStore.delete(namespace);
  ofStore.set(namespace, memory);
  const [oldest] = ofStore.keys();
  if (ofStore.size > maxNamespaces && oldest !== undefined) ofStore.delete(oldest);
  return memory;
}

/** Namespaces remembered for each store; a back end of many tenants has more of them than it needs at once. */
const maxNamespaces = 1000;
