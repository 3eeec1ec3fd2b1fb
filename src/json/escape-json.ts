/** Characters that could close a fence around the JSON, or that a reader of it may take for a line end. */
const unsafe = /[<>&\u007f-\u009f\u2028\u2029]/g;

/**
 * Writes a value as one line of JSON in which `<`, `>`, `&`, U+2028, U+2029 and all control characters
 * stand as escapes, so that no string inside can forge what stands around it. The value must not be
 * nested deeply; see `boundJson`.
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
