import settingsSchema from '../../settings.schema.json' with { type: 'json' };
import type { MessageFilterMode } from '../strategies/messages/message-filter.ts';

/** What a setting accepts. */
export interface SettingRule {
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
}

/** The part of JSON Schema that `settings.schema.json` describes a value with. */
export interface SettingSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly SettingSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}

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

/** What a section may hold, by name. */
export type SectionSchema<Section = Readonly<Record<string, unknown>>> = Readonly<
  Record<keyof Section, SettingSchema>
>;

const { summarisation, message_filter, summary_prompts, providers, store, strategies } =
  settingsSchema.properties;

/** The sections of named settings. */
export const sections: {
  readonly summarisation: SectionSchema<Summarisation>;
  readonly message_filter: SectionSchema<ByMessage<MessageFilterMode>>;
  readonly summary_prompts: SectionSchema<PromptSettings>;
  readonly store: SectionSchema<StoreAddress>;
} = {
  summarisation: summarisation.properties,
  message_filter: message_filter.properties,
  summary_prompts: summary_prompts.properties,
  store: store.properties,
};

/** What one of the `providers` may hold. */
export const providerSettings: SectionSchema = providers.additionalProperties.properties;

/** What each section is for, in the order of the file. */
export const sectionMeanings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    summarisation,
    message_filter,
    summary_prompts,
    providers,
    store,
    strategies,
  }).map(([name, { description }]) => [name, description]),
);

/** The rule that a schema stands for. */
export function ruleOf(schema: SettingSchema): SettingRule {
  const { type, anyOf, enum: names } = schema;
  if (anyOf !== undefined) {
    const rules = anyOf.map(ruleOf);
    return {
      allowed: rules.map(({ allowed }) => allowed).join(', or '),
      accepts: (value) => rules.some(({ accepts }) => accepts(value)),
    };
  }
  if (names !== undefined) return { allowed: quotedList(names), accepts: isOneOf(names) };
  if (type === 'integer' || type === 'number') return numberRule(schema);
  const article = type === 'object' ? 'an' : 'a';
  return { allowed: `${article} ${type}`, accepts: (value) => typeof value === type };
}

function numberRule(schema: SettingSchema): SettingRule {
  const { type, minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const limits = [
    above === undefined ? undefined : `above ${above}`,
    minimum === undefined ? undefined : `of at least ${minimum}`,
    below === undefined ? undefined : `below ${below}`,
    maximum === undefined ? undefined : `at most ${maximum}`,
  ].filter((limit) => limit !== undefined);
  return {
    allowed: `${type === 'integer' ? 'an integer' : 'a number'} ${limits.join(' and ')}`,
    accepts: (value) =>
      (type === 'integer' ? Number.isSafeInteger(value) : typeof value === 'number') &&
      Number(value) >= (minimum ?? Number.NEGATIVE_INFINITY) &&
      Number(value) <= (maximum ?? Number.POSITIVE_INFINITY) &&
      Number(value) > (above ?? Number.NEGATIVE_INFINITY) &&
      Number(value) < (below ?? Number.POSITIVE_INFINITY),
  };
}

function isOneOf(names: readonly unknown[]): SettingRule['accepts'] {
  return (value) => names.includes(value);
}

/** Names in quotes: `"a", "b" or "c"`. */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}

/** The defaults of a section. */
export function defaultsOf(schema: SectionSchema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, each.default]));
}
