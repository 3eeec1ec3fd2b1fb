import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ModelMessage, ToolSet } from 'ai';

/** What a conversation demands of a provider beyond plain chat and tools. */
export type Feature =
  | 'several-systems'
  | 'late-system'
  | 'prefill'
  | 'user-run'
  | 'user-after-tool'
  | 'foreign-reasoning'
  | 'image'
  | 'pdf';

/** Whether the middleware may leave the conversation alone, for what the provider does with it. */
export function maySkip({ isServerManaged, mustKeep }: Conversation): boolean {
  return isServerManaged === true || mustKeep !== undefined;
}

/** A conversation that is legal as it stands for the provider it was written for. */
export interface Conversation {
  readonly name: string;
  readonly messages: readonly ModelMessage[];
  /** @default none */
  readonly needs?: readonly Feature[] | undefined;
  /** Tools of the call. @default those of every conversation */
  readonly tools?: ToolSet | undefined;
  /** Options of the call, such as thinking switched on. */
  readonly providerOptions?: SharedV4ProviderOptions | undefined;
  /** Texts that the request carries whatever is summarised, such as an opaque compaction item. */
  readonly mustKeep?: readonly string[] | undefined;
  /** Whether something is still to come before the conversation can go on, such as an approval. */
  readonly isOpen?: boolean | undefined;
  /** Whether the middleware stands aside, because the provider holds or compacts the history. */
  readonly isServerManaged?: boolean | undefined;
}
