/** One or several whole passages of a text. */
export interface Excerpt {
  /** Position of the text among the texts. */
  readonly source: number;
  readonly start: number;
  readonly end: number;
}
