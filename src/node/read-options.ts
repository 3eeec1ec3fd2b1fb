import type { ProviderOverrides } from '../options/provider-overrides.ts';
import { holdsRequired } from '../prompts/check-template.ts';
import type { GivenStore } from '../stores/summary-store.ts';
import type { MessageFilterMode } from '../strategies/messages/message-filter.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { keptReset, readProviders } from './read-providers.ts';
import { readSection, type SettingsFile } from './read-section.ts';
import { readStore, type StoreMakers } from './read-store.ts';
import {
  readStrategy,
  strategyNames,
  type StrategyMakers,
  type StrategyName,
} from './read-strategy.ts';
import {
  quotedList,
  sections,
  type ByMessage,
  type SettingRule,
  type Summarisation,
} from './setting-rules.ts';
import { isPath } from './template-source.ts';

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

const template: SettingRule = {
  allowed: '"default", the path of a file in those folders, or a string that holds {content} once',
  accepts: (value) =>
    typeof value === 'string' &&
    (value === 'default' || holdsRequired(value, ['content']) || isPath(value, ['content'])),
};

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
  const given = readSection(file, 'summarisation', sections.summarisation, {
    strategy: nameRule([...strategyNames, ...Object.keys(strategies)], 'strategies'),
  });
  const filter = readSection(file, 'message_filter', sections.message_filter);
  const texts = readSection(file, 'summary_prompts', sections.summary_prompts, templates);
  const { max_summary_chars: maxSummaryChars, summary, ...messages } = texts;
  const address = readSection(file, 'store', sections.store, {
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

function nameRule(names: readonly string[], option: string): SettingRule {
  return {
    allowed: `${quotedList(names)}, and what the program gives loadSettings as ${option}`,
    accepts: (value) => names.some((name) => name === value),
  };
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
