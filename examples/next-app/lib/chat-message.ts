import type { InferUITools, UIMessage } from 'ai';
import type { SummaryRecord } from 'ai-sdk-summarization';
import type { ChatTools } from './tools.ts';

/** Sizes of one model call, in tokens, and the record that stood in its prompt. */
export interface CallReading {
  /** What was sent. */
  readonly tokens: number;
  /** What the full history would have come to. */
  readonly fullTokens: number;
  readonly contextLength: number;
  readonly coveredMessages: number;
  readonly recordId?: string;
  readonly depth?: number;
  readonly degraded?: boolean;
}

/** How a summarisation goes: shown where it happened, and kept there. */
export type SummaryNote =
  | {
      readonly state: 'running';
      readonly messages: number;
      /** How many of the chunks have been read, where the messages are too long for one call. */
      readonly chunks?: { readonly completed: number; readonly total: number };
    }
  | {
      readonly state: 'done';
      readonly record: SummaryRecord;
      /** Messages that the record stands for, counted as the model sees them. */
      readonly coveredMessages: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly durationMs: number;
      /** Tokens that the summarising model read and wrote. */
      readonly summarizerTokens: number;
      /** Why another strategy had to stand in, if one had to. */
      readonly fallbackReason?: string | undefined;
    }
  | { readonly state: 'failed'; readonly reason: string };

/** A prompt that had to be cut without a model. */
export interface ShorteningNote {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** A message of this app: calls as metadata, summaries as data parts. Neither reaches the model. */
export type ChatMessage = UIMessage<
  { readonly calls: readonly CallReading[] },
  { summary: SummaryNote; shortened: ShorteningNote; notice: string },
  InferUITools<ChatTools>
>;

/** The text of a message, its parts joined. */
export function textOf({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
