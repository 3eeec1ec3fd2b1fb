/**
 * Zero-width and bidirectional marks, the Unicode tag block and the variation selectors supplement:
 * what can hide text from a reader but not from a model.
 */
const invisible =
  // oxlint-disable-next-line no-misleading-character-class -- each is looked for on its own
  /[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e007f}\u{e0100}-\u{e01ef}]/gu;

/** C0 and C1 controls other than tab and line feed. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Removes characters that hide text from a human reader. */
export function stripInvisible(text: string): string {
  return text.replace(invisible, '');
}

/** Removes invisible and control characters from what a model wrote; lone surrogates are replaced. */
export function cleanOutput(text: string): string {
  return stripInvisible(text).replace(controls, '').toWellFormed().trim();
}
