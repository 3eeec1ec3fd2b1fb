import { validate } from '../../foundations/checks/check-object.ts';
import {
  anyString,
  anyText,
  anyBoolean,
  integer,
  isOptionsObject,
  lazily,
  rule,
  optionsOf,
  type OptionRules,
} from '../../foundations/checks/option-rule.ts';
import { withoutOwnMark, ownTools, providerOptionsKey } from '../../prompt/messages/own-options.ts';
import type { CallOptions, Message } from '../../prompt/messages/prompt-types.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/** `providerOptions.summarization` of one call. Removed before the provider sees the call. */
export interface SummarizationCallOptions {
  /**
   * Separates the state of this call from other namespaces, instead of the option of the same name, so that one
   * wrapped model serves all tenants. Take the tenant from the session, not from the request.
   */
  readonly namespace?: string | undefined;
  /**
   * The id of the conversation, which the application must have authorized. It narrows the search for a stored
   * summary; the messages decide whether a summary applies. Clients that send only their last messages need one: the
   * newest summary applies if those begin with at least four messages that it covers, one of them the user's.
   */
  readonly conversationId?: string | undefined;
  /**
   * Summarize now, even below the trigger, as a `/resummarize` command does. With `upTo` the application chooses the
   * messages to summarize: those before that index, counted from 1 after the leading system messages. If the
   * conversation may not be cut there, the last possible index before it counts, or the first of all. A summary up to
   * that index is paid for once, so every step of a tool loop may carry the same index. If the prompt does not fit,
   * more is summarized. Without `upTo` and `instructions`, a summary that is prepared or in progress is used.
   */
  readonly force?: boolean | { readonly upTo: number } | undefined;
  /**
   * Guidance for the summary, if this call makes one: 'focus on the failing test'. A summarizing model gets the first
   * 2,000 characters of it as data of the user, not as instructions, after `redact`. It is not stored. Strategies
   * without a model do not read it.
   */
  readonly instructions?: string | undefined;
  /** With `false`, this call passes unchanged. */
  readonly enabled?: boolean | undefined;
  /**
   * Indexes of messages that stay verbatim, counted after the leading system messages, from the end if negative. A
   * single message can carry `providerOptions: { summarization: { pin: true } }` instead.
   */
  readonly pin?: readonly number[] | undefined;
}

/** A call without the package's own options, and those options. */
export interface OwnCall {
  /** The same object when there was nothing to remove. */
  readonly params: CallOptions;
  readonly callOptions: SummarizationCallOptions;
  /** Indexes in `params.prompt` of messages that carry `summarization: { pin: true }`. */
  readonly pinnedMessages: readonly number[];
  /** Names of the call's tools with which an agent asks for a summary. */
  readonly compactTools: ReadonlySet<string>;
}

const callRule = lazily(() => {
  const upTo = optionsOf<{ readonly upTo: number }>({ upTo: integer(1) }, { required: ['upTo'] });
  const rules: OptionRules<SummarizationCallOptions> = {
    namespace: anyString,
    conversationId: anyText,
    force: rule(
      'a boolean, or { upTo } with an integer of at least 1',
      (value) => typeof value === 'boolean' || upTo.safeParse(value).success,
    ),
    instructions: anyText,
    enabled: anyBoolean,
    pin: rule(
      'a list of integers',
      (value) => Array.isArray(value) && value.every(Number.isSafeInteger),
    ),
  };
  return optionsOf(rules, { allowed: `an object with ${Object.keys(rules).join(', ')}` });
});

/**
 * Takes the package's own options out of a call, from its `providerOptions`, its tools and its messages: some
 * providers send everything they find there over the wire.
 *
 * @throws {SummarizationOptionError} when one of them is wrong.
 */
export function ownCallOptions(params: CallOptions): OwnCall {
  const own: Readonly<Record<string, unknown>> | null | undefined =
    params.providerOptions?.[providerOptionsKey];
  const isAnyMarked = params.prompt.some(carriesOwn);
  const { tools, compactTools } = ownTools(params.tools);
  const withTools = tools === params.tools ? params : { ...params, ...(tools && { tools }) };
  const bare = own === undefined ? withTools : withoutCallOptions(withTools);
  return {
    params: isAnyMarked ? { ...bare, prompt: params.prompt.map(bareMessage) } : bare,
    callOptions: own === undefined ? {} : readCallOptions(own),
    pinnedMessages: (isAnyMarked ? params.prompt : []).flatMap((message, index) =>
      Object(message).providerOptions?.[providerOptionsKey]?.pin === true ? index : [],
    ),
    compactTools,
  };
}

/**
 * A call without the package's own options where nothing more than that is to be done with it. An unreadable value
 * stays as it is: the model reports the fault.
 */
export function withoutOwnOptions(given: CallOptions): CallOptions {
  try {
    return ownCallOptions(given).params;
  } catch {
    return given;
  }
}

/** A call without the package's own options in its `providerOptions`; messages as they are. */
export function withoutCallOptions(params: CallOptions): CallOptions {
  const { [providerOptionsKey]: _own, ...providerOptions } = params.providerOptions ?? {};
  return { ...params, providerOptions };
}

/** Whether a message, or a part of it, carries the package's own options. Without types, a list may hold anything. */
function carriesOwn(given: unknown): boolean {
  const { providerOptions, content } = Object(given);
  const isMarked = providerOptions?.[providerOptionsKey] !== undefined;
  return isMarked || (Array.isArray(content) && content.some(carriesOwn));
}

function bareMessage(message: Message): Message {
  if (!carriesOwn(message)) return message;
  const bare = { ...withoutOwnMark(message) };
  if (typeof bare.content === 'string') return bare;
  return Object.assign(bare, { content: bare.content.map((part) => withoutOwnMark(part)) });
}

function readCallOptions(own: Readonly<Record<string, unknown>> | null): SummarizationCallOptions {
  const path = `providerOptions.${providerOptionsKey}`;
  if (own === null) return {};
  if (!isOptionsObject(own)) return validate(callRule(), own, path);
  // Whoever had none may have written null. But a tenant that was not found has no memory in common with others.
  const given = Object.entries(own).filter(
    ([name, value]) => value !== null || name === 'namespace',
  );
  return validate(callRule(), Object.fromEntries(given), path, `${path}.`);
}

/**
 * The conversation that a call belongs to: as it says itself, else as the option says. An empty id is none.
 *
 * @param onFault - Told what the option threw, or that it gave something else than a text; the call goes on without.
 */
export function conversationIdOf(
  { conversationId: option }: Pick<SummarizationOptions, 'conversationId'>,
  params: CallOptions,
  onFault: (fault: unknown) => void,
): string | undefined {
  const own = params.providerOptions?.[providerOptionsKey]?.['conversationId'];
  if (typeof own === 'string') return own;
  try {
    const id: unknown = typeof option === 'function' ? option(params) : option;
    if (id === undefined || id === null || id === '') return undefined;
    return anyText.parse(id);
  } catch (fault) {
    onFault(fault);
    return undefined;
  }
}
