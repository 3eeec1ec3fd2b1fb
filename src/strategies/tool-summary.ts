import { isNamed, rule, type OptionRule } from '../checks/option-rule.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { cutAtWord, tidy } from './texts.ts';

/** What is left of a tool call and its result. */
export interface ToolSummary {
  readonly toolName: string;
  /** `partial`: the output was cut, timed out, is still missing or goes on; or a search found nothing. */
  readonly status: 'success' | 'error' | 'partial';
  /** Short statements, most important first: `File: a.ts`, `Lines: 120`. */
  readonly keyFacts: readonly string[];
  /** What an extractor of the caller's has beside: read by nobody here. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** A tool call together with its result. */
export interface ToolUse {
  readonly toolName: string;
  /** The call's input, parsed where it is JSON in a string. */
  readonly input: unknown;
  /** The result as text; empty when there is none. */
  readonly output: string;
  /** The result's JSON value, where it is JSON or a string of JSON. */
  readonly value?: unknown;
  /** Whether the tool reported an error or the call was denied. */
  readonly isError: boolean;
  /** Whether error texts are to be kept whole. */
  readonly preserveErrorDetails: boolean;
}

/** Reads the key facts out of a tool call and its result. Must not throw and not keep what it is given. */
export type ToolExtractor = (use: ToolUse) => ToolSummary;

/** Extractors by tool name, whatever its case, punctuation and version. */
export type ToolExtractors = Readonly<Record<string, ToolExtractor>>;

/** How tool results are read. */
export interface ToolResultOptions {
  /**
   * What to keep of the results of your own tools, by tool name; goes before what is read of every tool.
   * @default {}
   */
  readonly extractors?: ToolExtractors | undefined;
  /**
   * Whether the error text of a failed tool call stays whole, up to 2,000 characters.
   * @default true
   */
  readonly preserveErrorDetails?: boolean | undefined;
}

/** The marks of outcomes. */
const statusMarks = { success: '✓', error: '❌', partial: '◐' } as const;

/** Characters of one line; only whole error texts are longer. */
const maxFactCharacters = 160;

/** Characters of an error text that is kept whole. */
const maxErrorCharacters = 2000;

/** Characters of a fact that are read: tidying makes it shorter. */
const maxReadCharacters = 4 * maxErrorCharacters;

/** Writes the line that stands for a tool call: `[✓ read_file: File: a.ts | Lines: 120]`. */
export function renderToolSummary({ toolName, status, keyFacts }: ToolSummary): string {
  const facts = keyFacts.map((fact) => {
    const isWhole = status === 'error' && fact.startsWith('Error: ');
    const text = tidy(visibleText(fact.slice(0, maxReadCharacters)));
    return cutAtWord(text, isWhole ? maxErrorCharacters : maxFactCharacters);
  });
  const name = tidy(toolName.slice(0, maxReadCharacters)).slice(0, maxFactCharacters);
  const done = facts.filter(Boolean).join(' | ');
  return `[${statusMarks[status]} ${name}${done === '' ? '' : `: ${done}`}]`;
}

/** What `extractors` accepts. */
export const extractorsRule: OptionRule<ToolExtractors> = rule(
  'an object of functions by tool name',
  (value) => isNamed(value) && Object.values(value).every((each) => typeof each === 'function'),
);
