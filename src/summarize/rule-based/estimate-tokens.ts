/**
 * Estimates the tokens of a short text inside rendered JSON without a tokenizer: letters by six, digits
 * by three, every other visible character one, other scripts one for each character. Good enough to
 * compare candidates; what is written in the end is counted exactly.
 */
export function estimateTokens(text: string, start = 0, end: number = text.length): number {
  let total = 0;
  let letters = 0;
  let digits = 0;
  for (let position = start; position < end; position += 1) {
    const code = text.charCodeAt(position);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    const isDigit = code >= 48 && code <= 57;
    if (!isLetter && letters > 0) {
      total += Math.ceil(letters / 6);
      letters = 0;
    }
    if (!isDigit && digits > 0) {
      total += Math.ceil(digits / 3);
      digits = 0;
    }
    if (isLetter) letters += 1;
    else if (isDigit) digits += 1;
    else if (code > 32) total += code < 128 ? 0.8 : 1;
  }
  return total + Math.ceil(letters / 6) + Math.ceil(digits / 3);
}
