import { holdsRequired } from '../prompts/check-template.ts';
import type { TemplateVariable } from '../prompts/fill-template.ts';
import { readInside } from './read-text-file.ts';
import { expandHome, type TemplateFolders } from './template-folders.ts';

/** Told about what is wrong with a file, which is then passed over. */
export type OnWarning = (message: string) => void;

/** Writes a warning to the process, as Node does with its own. */
export function emitWarning(message: string): void {
  process.emitWarning(message, { type: 'SummarizationWarning' });
}

/** A template that is looked for. */
export interface TemplateRequest {
  /** Path of the option, for warnings. */
  readonly option: string;
  readonly required: readonly TemplateVariable[];
  readonly folders: TemplateFolders;
  readonly onWarning: OnWarning;
  /** Why a file is not to be used, though it holds its variables. */
  readonly refuses?: ((text: string) => string | undefined) | undefined;
}

/** Longest value taken for a path. */
const maxPathLength = 1024;

/**
 * A text that holds its variables is meant as a text; of the others, one line that ends like a file,
 * begins like a path, or is a single word is a path.
 */
export function isPath(value: string, required: readonly TemplateVariable[]): boolean {
  if (required.length > 0 && holdsRequired(value, required)) return false;
  if (value === '' || value.length > maxPathLength || /[\r\n]/.test(value)) return false;
  return (
    /\.(?:md|markdown|txt|prompt)$/i.test(value) ||
    /^(?:~|\.{1,2}[\\/]|[\\/]|[a-z]:[\\/])/i.test(value) ||
    !/\s/.test(value)
  );
}

/** The template a value stands for, `undefined` for `'default'` and, with a warning, for a path to no usable file. */
export function givenTemplate(value: string, request: TemplateRequest): string | undefined {
  const { option, required, folders, onWarning } = request;
  if (value === 'default') return undefined;
  if (!isPath(value, required)) return value;
  const path = expandHome(value, folders.home);
  let reason = 'there is no such file';
  for (const folder of folders.all) {
    const file = readInside(folder, path);
    if (file.ok) {
      const fault = faultOf(file.text, request);
      if (fault === undefined) return file.text;
      reason = fault;
      break;
    }
    // The first folder in which something is wrong says more than those where nothing is.
    if (!file.isMissing && reason === 'there is no such file') ({ reason } = file);
  }
  onWarning(
    `The template ${option} is the default: ${JSON.stringify(value.slice(0, 120))} was not used, ${reason}. Looked in ${folders.all.join(', ')}.`,
  );
  return undefined;
}

/** The first usable file of a name in the folders; one that is there and not usable warns. */
export function namedTemplate(fileName: string, request: TemplateRequest): string | undefined {
  const { option, folders, onWarning } = request;
  for (const folder of folders.named) {
    const file = readInside(folder, fileName);
    const fault = file.ok ? faultOf(file.text, request) : file.reason;
    if (file.ok && fault === undefined) return file.text;
    if (!file.ok && file.isMissing) continue;
    onWarning(`The template ${option} passes over ${fileName} in ${folder}: ${fault}.`);
  }
  return undefined;
}

/** Why a text cannot be used. */
function faultOf(text: string, { required, refuses }: TemplateRequest): string | undefined {
  if (holdsRequired(text, required)) return refuses?.(text);
  return `it must hold ${required.map((name) => `{${name}}`).join(' and ')} exactly once`;
}
