import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { AssistantContent } from 'ai';

/** A content part of an assistant message. */
export type AssistantPart = Exclude<AssistantContent, string>[number];

/** How one provider names and signs what its model produced in step `step` of a conversation. */
export interface Dialect {
  /** Id of the call at `index` of a parallel batch. */
  readonly callId: (step: number, index: number) => string;
  /** Metadata of a tool call. */
  readonly callOptions?: (call: {
    readonly step: number;
    readonly index: number;
    readonly name: string;
    readonly input: JSONObject;
  }) => SharedV4ProviderOptions | undefined;
  /** Metadata of a reasoning part, its signature included. */
  readonly reasoningOptions?: (step: number, text: string) => SharedV4ProviderOptions;
  /** A reasoning part whose text the provider keeps to itself. */
  readonly hiddenReasoning?: SharedV4ProviderOptions;
  /** Metadata of a text part. */
  readonly textOptions?: (step: number) => SharedV4ProviderOptions;
  /** Options that switch reasoning on for a call. */
  readonly reasoningCall?: SharedV4ProviderOptions;
  /** A tool the provider ran itself: its call and its result. */
  readonly serverTool?: (step: number) => AssistantPart[];
  /** Marks a message as the end of a cached prefix. */
  readonly cacheMark?: SharedV4ProviderOptions;
  /** A summary the provider made of the messages before it. */
  readonly compaction?: { readonly part: AssistantPart; readonly mark: string };
  /** Options under which the provider holds or compacts the history itself. */
  readonly serverState?: SharedV4ProviderOptions;
}
