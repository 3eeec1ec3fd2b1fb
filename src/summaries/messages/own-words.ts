import { parseJson } from '../../foundations/util/json.ts';

/** Characters from which a text with a short request counts as pasted. */
const pastedCharacters = 1000;

/** Most characters of a request around a pasted text. */
const requestCharacters = 400;

/** Least characters of a dialogue or an email. */
const dialogueCharacters = 150;

/** A speaker, or a field of an email's header, at the beginning of a line or sentence: `Project Manager: `. */
const label =
  /(?:^|\n|[.!?…] )([\p{Lu}\p{Lo}][\p{L}\p{M}\d.'’-]{0,30}(?: [\p{Lu}\p{Lo}\d][\p{L}\p{M}\d.'’-]{0,30}){0,3}) ?[:：] ?(?=\S)/gu;

/**
 * Reduces a user's message to the user's own words: without quoted lines, fenced blocks, lines of JSON, dialogues and
 * emails, and without a long text that is pasted with a short request.
 *
 * @returns `''` if no word is the user's own.
 */
export function ownWords(text: string): string {
  return withoutHandedOver(withoutDialogue(withoutBlocks(text))).trim();
}

function withoutBlocks(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').map((line) => {
    const [, mark] = /^\s{0,3}(```|~~~)/.exec(line) ?? [];
    const wasOpen = fence !== undefined;
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = wasOpen ? undefined : mark;
    const isOwn = !wasOpen && mark === undefined && !/^\s{0,3}>/.test(line) && !isJson(line);
    return isOwn ? line : '';
  });
  return lines.join('\n');
}

function isJson(line: string): boolean {
  return /^\s*[[{]/.test(line) && typeof parseJson(line) === 'object';
}

function withoutDialogue(text: string): string {
  const labels = [...text.matchAll(label)];
  const [first] = labels;
  if (first === undefined) return text;
  const spoken = text.length - first.index;
  const names = labels.map(([, name]) => name);
  const isRepeated = new Set(names).size < names.length;
  const isMail = /\S@\S/.test(text.slice(first.index, first.index + requestCharacters));
  const isMonologue = first[1]?.includes(' ') === true && spoken >= requestCharacters;
  const isDialogue = spoken >= dialogueCharacters && (isRepeated || (isMail && labels.length > 1));
  if (!isDialogue && !isMonologue) return text;
  const question = lastQuestion(text.slice(first.index));
  return `${text.slice(0, first.index + 1)}\n${question}`;
}

function withoutHandedOver(text: string): string {
  if (text.length < pastedCharacters) return text;
  const [lead = ''] = /^[^]{0,400}?(?:[:：]\s*\n|[?？]\s*\n\s*\n)/.exec(text.trimStart()) ?? [];
  const body = text.trimStart().slice(lead.length);
  const question = lastQuestion(body, { least: 2, most: requestCharacters + 1 });
  const pasted = body.slice(0, body.length - question.length);
  const isHandedOver = lead !== '' || question !== '';
  const items = pasted.match(/^[^\S\n\r\u2028\u2029]*(?:[-*•]|\d{1,3}[.)])\s/gm)?.length ?? 0;
  const isList =
    items > 0 && items * 2 >= pasted.split('\n').filter((line) => /\S/.test(line)).length;
  return isHandedOver && !isList && pasted.length >= pastedCharacters ? `${lead}${question}` : text;
}

/**
 * Finds the question that ends a text, on a line of its own after an empty one, with the space around it; else `''`.
 */
function lastQuestion(text: string, { least = 1, most = Number.POSITIVE_INFINITY } = {}): string {
  const shown = text.trimEnd();
  const start = shown.lastIndexOf('\n');
  const line = shown.slice(start + 1);
  const before = shown.slice(0, Math.max(start, 0)).trimEnd();
  const gap = shown.indexOf('\n', before.length);
  const isQuestion = /[?？]$/.test(line) && line.length >= least && line.length <= most;
  return isQuestion && gap !== -1 && gap < start ? text.slice(gap) : '';
}

/** Lists the speakers of a dialogue: names that introduce a text twice or more. */
export function dialogueSpeakers(text: string): readonly string[] {
  const names = [...text.matchAll(label)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
}
