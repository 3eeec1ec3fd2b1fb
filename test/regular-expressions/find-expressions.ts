import { parseSync, Visitor } from 'oxc-parser';

/** A regular expression of a source text. */
export interface FoundExpression {
  readonly source: string;
  readonly flags: string;
  /** Position of its first character in the text. */
  readonly start: number;
}

/** What a source text holds. */
export interface FoundExpressions {
  readonly literals: readonly FoundExpression[];
  /** Whether it builds expressions when it runs, with `RegExp(...)`. */
  readonly buildsOthers: boolean;
}

/**
 * Finds the regular expressions of a TypeScript file by its syntax tree.
 *
 * @throws {SyntaxError} for a file that cannot be parsed.
 */
export function findExpressions(path: string, text: string): FoundExpressions {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`);
  const literals: FoundExpression[] = [];
  let buildsOthers = false;
  const isConstructor = ({ type, name }: { type: string; name?: unknown }): boolean =>
    type === 'Identifier' && name === 'RegExp';
  new Visitor({
    Literal: (node) => {
      if ('regex' in node)
        literals.push({ source: node.regex.pattern, flags: node.regex.flags, start: node.start });
    },
    NewExpression: ({ callee }) => {
      buildsOthers ||= isConstructor(callee);
    },
    CallExpression: ({ callee }) => {
      buildsOthers ||= isConstructor(callee);
    },
  }).visit(program);
  return { literals, buildsOthers };
}
