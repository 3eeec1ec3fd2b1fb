/**
 * The signature a provider would put on `content`: a stand-in for the cryptographic ones, so that a
 * validator can tell whether signed bytes were changed. FNV-1a, written in hexadecimal.
 */
export function proofOf(content: string): string {
  let hash = 0x811c9dc5;
  for (const character of content) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return `proof${(hash >>> 0).toString(16).padStart(8, '0')}`;
}
