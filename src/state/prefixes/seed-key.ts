import type { StoreKeys } from '../../stores/seal/store-keys.ts';

/** Store key of what a conversation was seeded with: erased with the conversation, not with where it comes from. */
export function seedKey(keys: StoreKeys, conversationId: string): Promise<string> {
  return keys.key('id', conversationId, 'seed');
}
