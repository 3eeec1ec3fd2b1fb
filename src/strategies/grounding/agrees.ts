import { plainText } from './values/plain-text.ts';

/** Words that turn a statement into its contrary. Those for `without` do not. */
const negations =
  /(?<!\p{L})(?:not|never|no|none|nobody|nothing|neither|nor|cannot|nicht|nie|niemals|kein\p{L}{0,2}|nunca|ningún|ninguna?|jamás|tampoco|ne|pas|jamais|aucune?|не|нет|нельзя|никогда|não|nem|non|nessun[oa]?|niet|geen|nooit|nigdy)(?!\p{L})|(?<!\p{L})n['’](?=\p{L})|n['’]t(?!\p{L})|[不没沒无無未别別勿]/giu;

/**
 * Whether a statement and the sentence that it renders both deny or both affirm, by their words. A piece of a
 * sentence that has lost one of its negations does not agree with it.
 */
export function agrees(statement: string, sentence: string): boolean {
  const denied = count(statement);
  const said = count(sentence);
  if (denied < said && plainText(sentence).includes(plainText(statement))) return false;
  return denied > 0 === said > 0;
}

function count(text: string): number {
  return text.match(negations)?.length ?? 0;
}
