import { rule, type OptionRule } from '../checks/option-rule.ts';
import type { ProviderOverrides } from '../options/provider-overrides.ts';
import { holdsRequired } from '../prompts/check-template.ts';
import type { GivenStore } from '../stores/summary-store.ts';
import type { MessageFilterMode } from '../strategies/messages/message-filter.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { keptReset, readProviders } from './read-providers.ts';
import { quotedList, readSection, type SettingsFile } from './read-section.ts';
import { readStore, type StoreMakers } from './read-store.ts';
import {
  readStrategy,
  strategyNames,
  type StrategyMakers,
  type StrategyName,
} from './read-strategy.ts';
import { isPath } from './template-source.ts';

/** The section `summarisation`. */
export interface Summarisation {
  readonly enabled: boolean;
  readonly strategy: string;
  readonly trigger_token_ratio: number;
  readonly reset_token_ratio: number;
  readonly token_threshold: number | 'off';
  readonly turn_threshold: number | 'off';
  readonly condense_tool_results: boolean;
  readonly max_summary_tokens: number | 'auto';
  readonly preserve_user_turns: boolean;
  readonly debug: boolean;
}

/** What there is for each type of message. */
export interface ByMessage<Value> {
  readonly tool_results: Value;
  readonly user_messages: Value;
  readonly agent_messages: Value;
}

/** The section `summary_prompts`. */
export interface PromptSettings extends ByMessage<string> {
  readonly summary: string;
  readonly max_summary_chars: number;
}

/** The section `store`. */
export interface StoreAddress {
  readonly name: string;
  readonly url: string;
}

/** What a settings file says, under the names of options. */
export interface ReadOptions {
  readonly enabled: boolean;
  readonly strategy: StrategyName | SummaryStrategy;
  readonly triggerTokenRatio: number;
  readonly resetTokenRatio?: number | undefined;
  /** `undefined` when the file says `"off"`. */
  readonly tokenThreshold: number | undefined;
  /** `undefined` when the file says `"off"`. */
  readonly turnThreshold: number | undefined;
  readonly condenseToolResults: boolean;
  /** `undefined` when the file says `"auto"`. */
  readonly maxSummaryTokens: number | undefined;
  readonly preserveUserTurns: boolean;
  readonly debug: boolean;
  readonly providers: Readonly<Record<string, ProviderOverrides>>;
  /** `undefined` for `"memory"`. */
  readonly store: GivenStore | undefined;
  readonly messageFilter: Readonly<
    Record<'toolResults' | 'userMessages' | 'agentMessages', MessageFilterMode>
  >;
  readonly prompts: {
    readonly summary: string;
    readonly toolResults: string;
    readonly userMessages: string;
    readonly agentMessages: string;
    readonly maxSummaryChars: number;
  };
}

const template = rule(
  '"default", the path of a file in those folders, or a string that holds {content} once',
  (value) =>
    typeof value === 'string' &&
    (value === 'default' || holdsRequired(value, ['content']) || isPath(value, ['content'])),
);

const templates = {
  summary: template,
  tool_results: template,
  user_messages: template,
  agent_messages: template,
};

/** Reads every section of a settings file. */
export function readOptions(
  file: SettingsFile,
  { strategies, stores }: { readonly strategies: StrategyMakers; readonly stores: StoreMakers },
): ReadOptions {
  const given = readSection<Summarisation>(file, 'summarisation', {
    strategy: nameRule([...strategyNames, ...Object.keys(strategies)], 'strategies'),
  });
  const filter = readSection<ByMessage<MessageFilterMode>>(file, 'message_filter');
  const texts = readSection<PromptSettings>(file, 'summary_prompts', templates);
  const { max_summary_chars: maxSummaryChars, summary, ...messages } = texts;
  const address = readSection<StoreAddress>(file, 'store', {
    name: nameRule(['memory', ...Object.keys(stores)], 'stores'),
  });
  return {
    ...summarisationOptions(file, given),
    strategy: readStrategy(file, given.strategy, strategies),
    messageFilter: byMessage(filter),
    prompts: { ...byMessage(messages), summary, maxSummaryChars },
    providers: readProviders(file, given.trigger_token_ratio),
    store: readStore(file, address, stores),
  };
}

function nameRule(names: readonly string[], option: string): OptionRule {
  return rule(
    `${quotedList(names)}, and what the program gives loadSettings as ${option}`,
    (value) => names.some((name) => name === value),
  );
}

function summarisationOptions(
  file: SettingsFile,
  given: Summarisation,
): Omit<ReadOptions, 'strategy' | 'messageFilter' | 'prompts' | 'providers' | 'store'> {
  const { token_threshold: tokens, turn_threshold: turns, max_summary_tokens: most } = given;
  const { trigger_token_ratio: triggerTokenRatio, reset_token_ratio: resetTokenRatio } = given;
  return {
    enabled: given.enabled,
    triggerTokenRatio,
    resetTokenRatio: keptReset(file, 'summarisation', triggerTokenRatio, resetTokenRatio),
    tokenThreshold: tokens === 'off' ? undefined : tokens,
    turnThreshold: turns === 'off' ? undefined : turns,
    condenseToolResults: given.condense_tool_results,
    maxSummaryTokens: most === 'auto' ? undefined : most,
    preserveUserTurns: given.preserve_user_turns,
    debug: given.debug,
  };
}

function byMessage<Value>({
  tool_results: toolResults,
  user_messages: userMessages,
  agent_messages: agentMessages,
}: ByMessage<Value>): Readonly<Record<'toolResults' | 'userMessages' | 'agentMessages', Value>> {
  return { toolResults, userMessages, agentMessages };
}
