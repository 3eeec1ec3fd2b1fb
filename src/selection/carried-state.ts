import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import { messageState } from '../prompt/message-state.ts';
import type { SystemMessage } from '../prompt/prompt-types.ts';
import type { CutConversation } from './conversation-view.ts';
import { remainingToolChanges, type KeptMessages } from './kept-messages.ts';

/** The state that summarised messages leave behind, as system messages that say nothing. */
export interface CarriedState {
  /** For the head of what is kept: in force from the first message on. */
  readonly ahead?: SystemMessage | undefined;
  /** For behind a user message, in front of an assistant message. */
  readonly behind?: SystemMessage | undefined;
  /** For the end of what is kept, whose own word would be the later one otherwise. */
  readonly last?: SystemMessage | undefined;
}

/**
 * Derives the state that is in force at a cut from all messages before it, whatever record stands for them:
 * the same messages always leave the same state. What a kept message still says itself is left to it.
 */
export function carriedState(input: CutConversation, kept: KeptMessages): CarriedState {
  switch (input.dialect) {
    case 'openai':
    case 'azure':
      return carriedByOpenai(input, new Set(kept.indexes));
    case 'anthropic':
      return carriedByAnthropic(input, kept);
    case undefined:
      return {};
  }
}

function carriedByOpenai(
  { conversation, cut, dialect }: CutConversation,
  kept: ReadonlySet<number>,
): CarriedState {
  const loaded = new Map<string, { readonly tool: JSONObject; readonly isKept: boolean }>();
  const update: JSONObject = {};
  for (const [index, message] of conversation.slice(0, cut).entries()) {
    const state = messageState(message, dialect);
    if (state === undefined) continue;
    Object.assign(update, state.update);
    for (const tool of state.additionalTools) {
      const key = JSON.stringify([tool['type'], tool['name']]);
      const earlier = loaded.get(key);
      loaded.delete(key);
      loaded.set(key, {
        tool: earlier === undefined ? tool : withToolsOf(earlier.tool, tool),
        isKept: kept.has(index) && (tool['type'] !== 'namespace' || earlier?.isKept !== false),
      });
    }
  }
  const additionalTools = [...loaded.values()].flatMap(({ tool, isKept }) =>
    isKept ? [] : [tool],
  );
  const provider = dialect ?? 'openai';
  return {
    ahead: stateMessage(provider, update),
    last: stateMessage(provider, additionalTools.length === 0 ? {} : { additionalTools }),
  };
}

/** A namespace that is loaded again keeps the tools it had; anything else is what it was last. */
function withToolsOf(earlier: JSONObject, tool: JSONObject): JSONObject {
  const before = earlier['tools'];
  const after = tool['tools'];
  if (tool['type'] !== 'namespace' || !Array.isArray(before) || !Array.isArray(after)) return tool;
  const named = new Map<string, JSONValue>();
  for (const member of [...before, ...after]) named.set(toolKey(member), member);
  return { ...tool, tools: [...named.values()] };
}

function toolKey(member: JSONValue): string {
  return typeof member === 'object' && member !== null && 'name' in member
    ? JSON.stringify(member.name)
    : JSON.stringify(member);
}

function carriedByAnthropic(input: CutConversation, kept: KeptMessages): CarriedState {
  const { conversation, groups, cut, dialect } = input;
  // An effort is in force from the next user message on: one set within the turn that goes on waits.
  const turn = kept.isOpenTurn ? (kept.anchor ?? cut) : cut;
  let effort: JSONValue | undefined;
  let effortOfTurn: JSONValue | undefined;
  for (const index of groups.systemMessages) {
    const message = conversation[index];
    if (index >= cut || message === undefined) continue;
    const set = messageState(message, dialect)?.effort;
    if (index < turn) effort = set ?? effort;
    else effortOfTurn = set ?? effortOfTurn;
  }
  const toolChanges = remainingToolChanges(input);
  return {
    ahead: stateMessage('anthropic', effort === undefined ? {} : { effort }),
    behind: stateMessage('anthropic', {
      ...(effortOfTurn === undefined ? {} : { effort: effortOfTurn }),
      ...(toolChanges.length === 0 ? {} : { toolChanges }),
    }),
  };
}

function stateMessage(provider: string, options: JSONObject): SystemMessage | undefined {
  return Object.keys(options).length === 0
    ? undefined
    : { role: 'system', content: '', providerOptions: { [provider]: options } };
}
