import { providerOptionsKey } from './provider-options-key.ts';
import type { CallOptions } from './prompt-types.ts';

/** What tells a call's own tools from others, whatever name they are given: in their `providerOptions`. */
export const compactToolMark: NonNullable<CallOptions['providerOptions']> = {
  [providerOptionsKey]: { tool: 'compact' },
};

/** The tools of a call without the package's marks, and the names of those that carried one. */
export interface OwnTools {
  /** The same list when there was nothing to remove. */
  readonly tools: CallOptions['tools'];
  /** Tools that ask for a summary. */
  readonly compactTools: ReadonlySet<string>;
}

/** Takes the package's marks off the tools of a call. */
export function ownTools(given: CallOptions['tools']): OwnTools {
  const compactTools = new Set<string>();
  if (given?.some(isMarked) !== true) return { tools: given, compactTools };
  const tools = given.map((tool) => {
    if (!isMarked(tool) || tool.type !== 'function') return tool;
    const { providerOptions = {}, ...bare } = tool;
    const { [providerOptionsKey]: mark, ...others } = providerOptions;
    if (mark?.['tool'] === 'compact') compactTools.add(tool.name);
    return Object.keys(others).length === 0 ? bare : { ...bare, providerOptions: others };
  });
  return { tools, compactTools };
}

function isMarked(tool: NonNullable<CallOptions['tools']>[number] | null | undefined): boolean {
  // Without types, a list of tools may hold anything.
  return tool?.type === 'function' && tool.providerOptions?.[providerOptionsKey] !== undefined;
}
