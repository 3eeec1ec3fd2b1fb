/** A text without what spelling varies in: case, spaces, punctuation, Unicode form. */
export function plainText(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
