import type { Language, Value } from './value.ts';

/** A list of a record in which something is told. */
export type Field =
  | 'keyPoints'
  | 'decisions'
  | 'actionItems'
  | 'unresolved'
  | 'domainEntities'
  | 'constraints';

/** A way to say the same. */
export interface Variant {
  readonly kind: 'paraphrase' | 'translation' | 'format';
  readonly text: string;
}

/** Something that stands in a conversation, and how records tell it rightly and wrongly. */
export interface Fact {
  readonly kind: 'rule' | 'decision' | 'finding' | 'task' | 'question' | 'file';
  readonly field: Field;
  /** Names, numbers and dates in it as the conversation spells them. */
  readonly values: readonly string[];
  /** The words of the conversation; who reads them knows the fact. */
  readonly said: string;
  /** As a faithful record in the conversation's language tells it. */
  readonly told: string;
  readonly variants: readonly Variant[];
  /** Told with one value copied wrongly, where it has one. */
  readonly miscopied?: string | undefined;
  /** The contrary of what was said. */
  readonly negated?: string | undefined;
  /** Told with its first two values in each other's place, where they are of one kind. */
  readonly swapped?: string | undefined;
  /** Told with values of another fact of the same form. */
  readonly relinked?: string | undefined;
}

/** Puts values into the braces of a sentence. */
export function filled(
  sentence: string,
  values: Readonly<Record<string, Value>>,
  write: (value: Value) => string,
): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : write(value);
  });
}

/** A sentence with its values in the usual form of a language. */
export function inLanguage(
  sentence: string,
  values: Readonly<Record<string, Value>>,
  language: Language,
): string {
  return filled(sentence, values, (value) => value.write(language));
}
