/** What a piece of text is, by its spelling alone. */
export type TermKind =
  | 'path'
  | 'url'
  | 'email'
  | 'date'
  | 'file'
  | 'code'
  | 'id'
  | 'amount'
  | 'number'
  | 'figure'
  | 'name'
  | 'word';

/** Told about every term, in order of its beginning; a file name follows the path it ends. */
export type TermVisitor = (kind: TermKind, start: number, end: number) => void;
