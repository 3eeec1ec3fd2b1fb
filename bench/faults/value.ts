/** A language that conversations and records are written in. */
export type Language = 'en' | 'de' | 'es' | 'fr' | 'ru' | 'zh';

/** A number, a date, a name: what a record has to repeat rightly, in whatever form. */
export interface Value {
  /** In the usual form of a language. */
  readonly write: (language: Language) => string;
  /** In another form that means the same. */
  readonly reformat: (language: Language) => string;
  /** What a careless reader makes of it. */
  readonly miscopied: () => Value;
}

/** Makes a value by chance. */
export type ValueMaker = (random: () => number) => Value;

/** What is spelled alike in all languages. */
export function spelled(text: string, reformatted: string, miscopied: () => Value): Value {
  return { write: () => text, reformat: () => reformatted, miscopied };
}
