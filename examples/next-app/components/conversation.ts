import type { Recalled } from '../app/actions.ts';
import type { ChatMessage } from '../lib/chat-message.ts';

/** Matches among the summarized messages. */
export interface Findings {
  readonly words: string;
  readonly passages: readonly Recalled[];
}

/** A conversation as the page works with it. */
export interface Conversation {
  readonly messages: readonly ChatMessage[];
  /** Ids of the versions of each message that has several. */
  readonly versions: ReadonlyMap<string, readonly string[]>;
  readonly busy: boolean;
  /** Error of the latest request. */
  readonly problem: string | undefined;
  /** Notice for the user that is not part of the conversation. */
  readonly notice: string | undefined;
  readonly findings: Findings | undefined;
  /** Text in the box for the next message. */
  readonly draft: string;
  readonly setDraft: (draft: string) => void;
  /** Resolves when it is answered, to whether that went well. */
  readonly send: (text: string) => Promise<boolean>;
  /** Says something else in place of a message; what followed it is kept as a version. */
  readonly edit: (messageId: string, text: string) => void;
  /** Answers the latest user message again; the former answer is kept as a version. */
  readonly regenerate: () => void;
  readonly showVersion: (messageId: string) => void;
  /** Summarizes now, without asking for an answer. */
  readonly compact: (command: string) => void;
  /** Takes the latest summary back. */
  readonly undo: () => void;
  /** Searches what was summarized. */
  readonly recall: (words: string) => void;
  readonly dismiss: () => void;
  readonly stop: () => void;
}
