import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import { isSet } from '../util/is-set.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Whether the provider holds the history or compacts it itself: a summary would then come on top of what
 * it already has, or two compactors would work on one history.
 */
export function isServerManaged({ providerOptions, prompt }: CallOptions): boolean {
  return (
    isHeldByServer(providerOptions) ||
    isCompactedByServer(providerOptions) ||
    prompt.some(holdsCompaction)
  );
}

/**
 * Whether what came before is known to the provider alone: it holds the history, or the conversation begins
 * with a compaction, whose messages the client has dropped. No summary can stand for that.
 */
export function isKnownToServerAlone({ providerOptions, prompt }: CallOptions): boolean {
  const first = prompt.find(({ role }) => role !== 'system');
  return isHeldByServer(providerOptions) || (first !== undefined && holdsCompaction(first));
}

function isHeldByServer(providerOptions: CallOptions['providerOptions'] = {}): boolean {
  const { openai, azure, xai, google, anthropic } = providerOptions;
  return (
    [openai, azure].some(
      (options) => isText(options?.['previousResponseId']) || isText(options?.['conversation']),
    ) ||
    isText(xai?.['previousResponseId']) ||
    (isSet(google?.['previousInteractionId']) && google?.['store'] !== false) ||
    isSet(anthropic?.['thread'])
  );
}

/** Whether the caller has turned on what compacts or cuts the history. */
function isCompactedByServer(providerOptions: CallOptions['providerOptions'] = {}): boolean {
  const { openai, azure, anthropic } = providerOptions;
  return [openai, azure].some(isCompactedByOpenAI) || isCompactedByAnthropic(anthropic);
}

function isCompactedByOpenAI(options: Options = {}): boolean {
  return (
    isFilledList(options['contextManagement']) ||
    options['compactionTrigger'] === true ||
    options['truncation'] === 'auto'
  );
}

function isCompactedByAnthropic(options: Options = {}): boolean {
  const management = options['contextManagement'];
  const edits =
    typeof management === 'object' && management !== null && 'edits' in management
      ? management.edits
      : undefined;
  return isFilledList(edits) || isSet(options['compaction']);
}

/** A compaction that the provider wrote stands for everything before it and must stay as it is. */
function holdsCompaction(message: Message): boolean {
  return isCompactionOf(message, 'openai') || isCompactionOf(message, 'anthropic');
}

/** Whether a message holds what a provider's compaction left. */
export function isCompactionOf(message: Message, dialect: 'openai' | 'anthropic'): boolean {
  if (message.role !== 'assistant') return false;
  return message.content.some((part) =>
    dialect === 'openai'
      ? part.type === 'custom' && part.kind === 'openai.compaction'
      : // An empty one is a compaction that failed, and is not sent.
        part.type === 'text' &&
        part.text !== '' &&
        part.providerOptions?.['anthropic']?.['type'] === 'compaction',
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
