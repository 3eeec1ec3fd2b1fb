import type { JSONObject } from '@ai-sdk/provider';
import { messageState } from '../prompt/message-state.ts';
import { isObject } from '../util/is-object.ts';
import type { CutConversation } from './conversation-view.ts';

/**
 * What is left of the changes of tools before a cut, one for each tool, the last one: an addition unless
 * the tool is there anyway, a removal only of a tool that is there without any addition.
 */
export function remainingToolChanges({
  conversation,
  groups,
  cut,
  dialect,
  tools = [],
}: Omit<CutConversation, 'pinned'>): readonly JSONObject[] {
  if (dialect !== 'anthropic') return [];
  const last = new Map<string, JSONObject>();
  for (const index of groups.systemMessages) {
    const message = conversation[index];
    if (index >= cut || message === undefined) continue;
    for (const change of messageState(message, dialect)?.toolChanges ?? []) {
      const given = isObject(change['tool']) ? change['tool']['name'] : change['toolName'];
      const name = typeof given === 'string' ? given : '';
      // In the order of their last change.
      last.delete(name);
      last.set(name, change);
    }
  }
  if (last.size === 0) return [];
  const loaded = new Set(
    tools.flatMap((tool) => {
      const options = tool.type === 'function' ? tool.providerOptions?.['anthropic'] : undefined;
      return options?.['deferLoading'] === true ? [] : [tool.name];
    }),
  );
  return [...last].flatMap(([name, change]) => {
    const isDefinition = isObject(change['tool']);
    const isRemoval = change['type'] === 'tool_removal';
    return isDefinition || isRemoval === loaded.has(name) ? [change] : [];
  });
}
