import { isObject } from '../../foundations/util/is-object.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { startEpochOf, type StartState } from './conversation-state.ts';
import { isErasedSince, type ConversationDocument, type StoredUsage } from './document.ts';

/** The most reported sizes that a document has. */
const maxUsages = 4;

function withUsage(document: ConversationDocument, usage: StoredUsage): ConversationDocument {
  return { ...document, usages: [...(document.usages ?? []), usage].slice(-maxUsages) };
}

/** Names the model of a reported size. */
export function modelName({ provider, modelId }: ModelIdentity): string {
  return `${provider} ${modelId}`;
}

/** Lists the reported sizes in the local cache, which the store's documents have been merged into. */
export async function storedUsages({
  documents,
}: Pick<StartState, 'documents'>): Promise<readonly StoredUsage[]> {
  return (await documents.cached()).flatMap(({ usages }) =>
    Array.isArray(usages) ? usages.filter(isUsage) : [],
  );
}

/** Whether a stored value is a reported size: another version of the package may have written it. */
function isUsage(value: unknown): value is StoredUsage {
  const { usage, prompt, model }: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
  if (typeof prompt !== 'string' || typeof model !== 'string' || !isObject(usage)) return false;
  const figures = Object.values(usage);
  const isOfFigures = figures.every((figure) => typeof figure === 'number' && figure >= 0);
  return isOfFigures && Number(usage['inputTokens']) > 0 && 'answerCharacters' in usage;
}

/**
 * Stores a reported size, unless one that differs by less than `leastChange` is stored: processes that have seen nothing
 * of the conversation know the size of its next prompt. A conversation that was erased meanwhile gets none.
 */
export async function keepUsage(
  state: StartState,
  messages: number,
  added: StoredUsage,
  leastChange: number,
): Promise<void> {
  const { documents } = state;
  const isAlike = ({ model, recordId, usage }: StoredUsage): boolean =>
    model === added.model &&
    recordId === added.recordId &&
    Math.abs(usage.inputTokens - added.usage.inputTokens) < leastChange;
  if ((await storedUsages(state)).some(isAlike)) return;
  const key = await documents.names.of(messages);
  const since = startEpochOf(state, key);
  await documents.change(
    key,
    (document) => (isErasedSince(document, since) ? document : withUsage(document, added)),
    documents.lastRead(key),
  );
}
