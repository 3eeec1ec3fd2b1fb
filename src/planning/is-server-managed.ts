import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import { isSet } from '../util/is-set.ts';

type Options = Readonly<Record<string, unknown>>;

/**
 * Whether the provider holds the history or compacts it itself: a summary would then come on top of what
 * it already has, or two compactors would work on one history.
 */
export function isServerManaged({ providerOptions = {}, prompt }: CallOptions): boolean {
  const { openai, azure, xai, google, anthropic } = providerOptions;
  return (
    [openai, azure].some(isManagedByOpenAI) ||
    isText(xai?.['previousResponseId']) ||
    (isSet(google?.['previousInteractionId']) && google?.['store'] !== false) ||
    isManagedByAnthropic(anthropic) ||
    prompt.some(holdsCompaction)
  );
}

function isManagedByOpenAI(options: Options = {}): boolean {
  return (
    isText(options['previousResponseId']) ||
    isText(options['conversation']) ||
    isFilledList(options['contextManagement']) ||
    options['compactionTrigger'] === true ||
    options['truncation'] === 'auto'
  );
}

function isManagedByAnthropic(options: Options = {}): boolean {
  const management = options['contextManagement'];
  const edits =
    typeof management === 'object' && management !== null && 'edits' in management
      ? management.edits
      : undefined;
  return isSet(options['thread']) || isFilledList(edits) || isSet(options['compaction']);
}

/** A compaction that the provider wrote stands for everything before it and must stay as it is. */
function holdsCompaction(message: Message): boolean {
  if (message.role !== 'assistant') return false;
  return message.content.some(
    (part) =>
      (part.type === 'custom' && part.kind === 'openai.compaction') ||
      (part.type === 'text' && part.providerOptions?.['anthropic']?.['type'] === 'compaction'),
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
