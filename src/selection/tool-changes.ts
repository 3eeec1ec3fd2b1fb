import type { JSONObject } from '@ai-sdk/provider';
import { messageState } from '../prompt/message-state.ts';
import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import type { StateDialect } from '../prompt/state-dialect.ts';
import { isObject } from '../util/is-object.ts';
import type { AtomicGroups } from './atomic-groups.ts';

/** The tools of a call. */
export type DeclaredTools = CallOptions['tools'];

/**
 * What is left of the changes of tools before a cut, one for each tool, the last one: an addition unless
 * the tool is there anyway, a removal only of a tool that is there without any addition.
 */
export function remainingToolChanges(
  {
    conversation,
    groups,
    cut,
    dialect,
  }: {
    readonly conversation: readonly Message[];
    readonly groups: AtomicGroups;
    readonly cut: number;
    readonly dialect: StateDialect | undefined;
  },
  tools: DeclaredTools,
): readonly JSONObject[] {
  if (dialect !== 'anthropic') return [];
  const last = new Map<string, JSONObject>();
  for (const index of groups.systemMessages) {
    const message = conversation[index];
    if (index >= cut || message === undefined) continue;
    for (const change of messageState(message, dialect)?.toolChanges ?? []) {
      const name = toolNameOf(change);
      // In the order of their last change.
      last.delete(name);
      last.set(name, change);
    }
  }
  if (last.size === 0) return [];
  const loaded = loadedFromTheStart(tools);
  return [...last].flatMap(([name, change]) => {
    const isDefinition = isObject(change['tool']);
    const isRemoval = change['type'] === 'tool_removal';
    return isDefinition || isRemoval === loaded.has(name) ? [change] : [];
  });
}

function toolNameOf({ toolName, tool }: JSONObject): string {
  const name = isObject(tool) ? tool['name'] : toolName;
  return typeof name === 'string' ? name : '';
}

function loadedFromTheStart(tools: DeclaredTools = []): ReadonlySet<string> {
  return new Set(
    tools
      .filter((tool) => {
        const options = tool.type === 'function' ? tool.providerOptions?.['anthropic'] : undefined;
        return options?.['deferLoading'] !== true;
      })
      .map(({ name }) => name),
  );
}
