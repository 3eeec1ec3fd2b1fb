import { parseSync, Visitor } from 'oxc-parser';

/** Faults of language that a text can have. */
export const kinds = ['headless', 'behind', 'british', 'participles'] as const;
export type Kind = (typeof kinds)[number];

/** A fault: the sentence that has it, or the name of a local variable. */
export interface Fault {
  readonly kind: Kind;
  readonly line: number;
  readonly text: string;
}

/** A run of prose and the line on which it begins, from 1. */
interface Prose {
  readonly text: string;
  readonly line: number;
}

// A question may begin with "What" or "Who".
const headless =
  /^(?:What|Who|Whom|Whose|Of|Those (?:that|who|which)|One that|Such (?:a|an) one)\b(?!.*\?$)/s;
const behind =
  /\bbehind\b(?! (?:a|an|the|its?) (?:[a-z]+ )?(?:proxy|cache|gateway|firewall|balancer)\b)/i;
const british =
  /\b(?:un|re|de|dis)?(?:summar|recogn|normal|organ|serial|initial|optim|minim|maxim|priorit|token|categor|real|util|final|general|special|custom|author|synchron|central|local|sanit|material|apolog|critic|popular|stabil|visual|standard|memor)is(?:e[drs]?|ing|ations?|able)\b|\b(?:behaviou?r(?<=our)|colour|favour|honour|neighbour|labour|flavour|rumour|humour)|\b(?:catalogue|defence|licence|centre|grey|artefact|judgement|whilst|learnt|spelt|misspelt|cancell(?:ed|ing)|labell(?:ed|ing)|modell(?:ed|ing)|travell(?:ed|ing)|analyse[drs]?)\b/i;
/** Participles that end otherwise than in "ed". */
const irregular =
  /^(?:known|given|said|kept|held|found|left|told|made|seen|shown|taken|written|sent|done|got|begun|chosen|drawn|gone|heard|laid|lost|met|paid|put|sought|spent|spoken|stood|taught|thought|won|worn|born|borne|bought|brought|built|caught|broken|hidden|forgotten|fallen|grown|thrown)$/;
const noParticiple = /^(?:need|seed|feed|speed|embed|bed|red|shed|bleed|weed|indeed|hundred|id)$/;

/** Faults of a TypeScript file: in its comments, its sentences in quotes, and the names of its local variables. */
export function faultsOfCode(
  path: string,
  source: string,
  { titlesOnly = false }: { readonly titlesOnly?: boolean } = {},
): readonly Fault[] {
  const { program, comments, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`);
  const lineAt = (index: number): number => source.slice(0, index).split('\n').length;
  const prose: Prose[] = commentBlocks(source, comments).map(({ text, start }) => ({
    text,
    line: lineAt(start),
  }));
  const strings = new Map<number, string>();
  const titles = new Set<number>();
  const participles: Fault[] = [];
  const declare = (pattern: unknown): void => {
    for (const { name, start } of namesIn(pattern))
      if (isParticiple(name))
        participles.push({ kind: 'participles', line: lineAt(start), text: name });
  };
  const declareAll = ({ params }: { readonly params: readonly unknown[] }): void => {
    params.forEach(declare);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => declare(id),
    FunctionDeclaration: declareAll,
    FunctionExpression: declareAll,
    ArrowFunctionExpression: declareAll,
    CallExpression: ({ callee, arguments: [first] }) => {
      if (
        first !== undefined &&
        /^(?:it|test|describe)\b/.test(source.slice(callee.start, callee.end))
      )
        titles.add(first.start);
    },
    Literal: (node) => {
      if (typeof node.value === 'string') strings.set(node.start, node.value);
    },
    TemplateLiteral: (node) => {
      strings.set(node.start, node.quasis.map(({ value }) => value.cooked ?? '').join('…'));
    },
  }).visit(program);
  for (const [start, text] of strings)
    if (titlesOnly ? titles.has(start) : /\S \S+ \S/.test(text))
      prose.push({ text, line: lineAt(start) });
  return [...prose.flatMap(faultsOfProse), ...participles];
}

/** Faults of a Markdown document, except in its code and in tables of figures, which commands write. */
export function faultsOfDocument(source: string): readonly Fault[] {
  const prose: Prose[] = [];
  let open: { text: string; line: number } | undefined;
  const blank = (text: string): string => text.replaceAll(/[^\n]/g, '');
  const lines = source
    .replaceAll(/^```[\s\S]*?^```|<!-- figures:[\s\S]*?\/figures -->|<!--[\s\S]*?-->/gm, blank)
    .split('\n');
  lines.forEach((line, index) => {
    const text = line.replace(/^[\s>]*(?:[-*] |\d+\. |#+ )?/, '').trim();
    const begins = /^[\s>]*(?:[-*] |\d+\. |#+ |\|)/.test(line);
    if (text === '' || begins) open = undefined;
    if (text === '') return;
    if (line.startsWith('|')) {
      for (const cell of text.split('|')) prose.push({ text: cell.trim(), line: index + 1 });
      return;
    }
    if (open) open.text += `\n${text}`;
    else prose.push((open = { text, line: index + 1 }));
    if (line.startsWith('#')) open = undefined;
  });
  return prose.flatMap(faultsOfProse);
}

function faultsOfProse({ text, line }: Prose): readonly Fault[] {
  let at = line;
  return sentences(text).flatMap((sentence) => {
    const begin = at + (/^\s*?(?=\S)/.exec(sentence)?.[0].split('\n').length ?? 1) - 1;
    at += sentence.split('\n').length - 1;
    const plain = sentence
      .replaceAll(/`[^`]*`/g, '`…`')
      .replaceAll(/(?<=\])\([^)\s]*\)/g, '')
      .replaceAll(/[*_>]/g, '')
      .trim();
    const found: Kind[] = [];
    if (headless.test(plain)) found.push('headless');
    if (behind.test(plain)) found.push('behind');
    if (british.test(plain)) found.push('british');
    return found.map((kind) => ({ kind, line: begin, text: plain.replaceAll(/\s+/g, ' ') }));
  });
}

/** Sentences as they stand, line breaks included: what follows a tag such as `@returns` is one of its own. */
function sentences(text: string): readonly string[] {
  return text
    .replaceAll(/@(?:param|throws|returns?|default|example)\b(?: *\{[^}]*\})?(?: +\S+ +-)? ?/g, '¶')
    .split(/¶|(?<=[.!?]["')*`]*) (?=\W*[A-Z])|(?<=[.!?]["')*`]*)(?=\n\W*[A-Z])/);
}

/** Comments as blocks: line comments that follow each other are one. */
function commentBlocks(
  source: string,
  comments: readonly {
    readonly type: string;
    readonly value: string;
    readonly start: number;
    readonly end: number;
  }[],
): readonly { readonly text: string; readonly start: number }[] {
  const blocks: { text: string; start: number; end: number; type: string }[] = [];
  for (const { type, value, start, end } of comments) {
    if (/^\s*(?:@ts-|oxlint-|eslint-|oxfmt-|v8 |@__)/.test(value)) continue;
    const text = value
      .split('\n')
      .map((line) => line.replace(/^\s*\*? ?/, ''))
      .join('\n');
    const last = blocks.at(-1);
    if (type === 'Line' && last?.type === 'Line' && /^\s*$/.test(source.slice(last.end, start))) {
      last.text += `\n${text}`;
      last.end = end;
    } else blocks.push({ text, start, end, type });
  }
  return blocks;
}

function isParticiple(name: string): boolean {
  return irregular.test(name) || (/^[a-z]{2,}ed$/.test(name) && !noParticiple.test(name));
}

/** Names that a pattern declares, nested ones included. */
function namesIn(pattern: unknown): readonly { readonly name: string; readonly start: number }[] {
  if (typeof pattern !== 'object' || pattern === null || !('type' in pattern)) return [];
  if (pattern.type === 'Identifier' && 'name' in pattern && 'start' in pattern)
    return [{ name: String(pattern.name), start: Number(pattern.start) }];
  const inner = ['left', 'argument', 'value', 'parameter'].flatMap((key) => {
    const part: unknown = Reflect.get(pattern, key);
    return key === 'value' && pattern.type !== 'Property' ? [] : [part];
  });
  const lists = ['properties', 'elements'].flatMap((key) => {
    const part: unknown = Reflect.get(pattern, key);
    return Array.isArray(part) ? part : [];
  });
  return [...inner, ...lists].flatMap(namesIn);
}
