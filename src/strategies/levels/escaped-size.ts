/** Characters that JSON writes as two, and those that `escapeJson` writes as six. */
const shortEscapes = /["\\\n\r\t]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const longEscapes = /[<>&\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/**
 * Makes the size of a text from its tokens, larger where so much of it has to be escaped that a chunk of
 * that many tokens would not fit into the model.
 *
 * @param scale - Tokens of a chunk over tokens a model can read of one.
 */
export function escapedSize(
  count: (text: string) => number,
  scale: number,
): (text: string) => number {
  return (text) => {
    const tokens = count(text);
    const short = text.match(shortEscapes)?.length ?? 0;
    const long = text.match(longEscapes)?.length ?? 0;
    // An escape takes at most a token a character.
    return Math.max(tokens, Math.ceil((tokens + short + 5 * long) * scale));
  };
}
