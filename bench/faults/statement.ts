import type { Language, ValueMaker } from './value.ts';

/** What somebody says in a conversation, and how a faithful record tells it. Values stand in braces. */
export interface Statement {
  readonly kind: 'rule' | 'decision' | 'finding' | 'task' | 'question';
  readonly by: 'user' | 'assistant' | 'tool';
  readonly values: Readonly<Record<string, ValueMaker>>;
  /** As it is said; in the user's words for a rule. */
  readonly said: Readonly<Record<Language, string>>;
  /** As a record tells it. */
  readonly told: Readonly<Record<Language, string>>;
  /** The same in other words. */
  readonly paraphrase: string;
  /** The contrary. */
  readonly negated: string;
}
