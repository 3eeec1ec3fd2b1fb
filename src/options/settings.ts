import { z } from 'zod/v4';
import { anyString, integer, lazily, oneOf, type OptionRule } from '../checks/option-rule.ts';
import { leastSummaryChars } from '../prompts/summarization-prompts.ts';
import { overrideRules } from './provider-overrides.ts';
import { optionRules } from './summarization-options.ts';

/** A value of a settings file. */
export interface Setting {
  /** What it is for. */
  readonly meaning: string;
  readonly rule: OptionRule;
  /** What holds where it is missing; in `providers`, what holds for all models. */
  readonly fallback?: unknown;
}

/** Values of a settings file by their names; the option of a setting has the same name in camel case. */
export type Settings = Readonly<Record<string, Setting>>;

/** A section of a settings file. */
export interface SettingSection {
  readonly meaning: string;
  readonly settings: Settings;
  /** Whether it holds such settings for each of the names in it. */
  readonly isByName?: true;
}

/** The sections of a settings file, in their order. What only the program knows, its own strategies and stores, is any name. */
export const settingSections: () => Readonly<
  Record<
    'summarisation' | 'message_filter' | 'summary_prompts' | 'providers' | 'store' | 'strategies',
    SettingSection
  >
> = lazily(() => {
  const options = optionRules();
  const overrides = overrideRules();
  return {
    summarisation: {
      meaning: 'When and by whom conversations are summarised.',
      settings: {
        enabled: setting('Whether anything is summarised.', options.enabled, true),
        strategy: setting(
          'Who writes summaries: a model ("llm"), code without a model ("rule-based", also called "heuristic"), nobody ("none"), or a strategy of the program by its name.',
          orAnyName('llm', 'rule-based', 'heuristic', 'none'),
          'llm',
        ),
        trigger_token_ratio: setting(
          'Summarise from this share of what the model accepts on.',
          overrides.triggerTokenRatio,
          0.8,
        ),
        reset_token_ratio: setting(
          'Aim at this share or less, below trigger_token_ratio; summarise again when the prompt has grown by as much as the two are apart.',
          overrides.resetTokenRatio,
          0.7,
        ),
        token_threshold: setting(
          'Summarise from this many tokens on.',
          orWord(options.tokenThreshold, 'off'),
          2048,
        ),
        turn_threshold: setting(
          'Summarise after this many messages of the user.',
          orWord(options.turnThreshold, 'off'),
          10,
        ),
        condense_tool_results: setting(
          'Whether old tool outputs give way to a line of facts each before a summary is paid for, if that is enough.',
          options.condenseToolResults,
          false,
        ),
        max_summary_tokens: setting(
          'Tokens a summary may take, never more than a tenth of what the model accepts; "auto" is a sixteenth of that, 2,000 to 16,000.',
          orWord(options.maxSummaryTokens, 'auto'),
          'auto',
        ),
        preserve_user_turns: setting(
          "Whether the user's own recent texts are repeated word for word beside the summary.",
          options.preserveUserTurns,
          false,
        ),
        debug: setting(
          'Whether each summarisation writes a line to the console.',
          z.boolean('a boolean'),
          false,
        ),
      },
    },
    message_filter: {
      meaning:
        'What the summariser reads of each type of message: all of it ("full"), a condensed text ("summary"), or that it was there ("omit").',
      settings: {
        tool_results: mode('Of outputs of tools. Their calls are always read.'),
        user_messages: mode('Of messages of the user.'),
        agent_messages: mode('Of messages of the assistant.'),
      },
    },
    summary_prompts: {
      meaning:
        'What summarising models are instructed with: "default" (the file of that name in the folder .ai-sdk-summarization/prompts of the project, else of the home folder, else the built-in text), the path of a file in those folders, or a text that holds {content} once.',
      settings: {
        summary: template(
          'What the summary is asked for with. "default" is summarize-system.md, summarize-first.md, summarize-update.md and summarize-rebase.md.',
        ),
        tool_results: template('What condenses a tool\'s output. "default" is tool_results.md.'),
        user_messages: template(
          'What condenses a message of the user. "default" is user_messages.md.',
        ),
        agent_messages: template(
          'What condenses a message of the assistant. "default" is agent_messages.md.',
        ),
        max_summary_chars: setting(
          'Characters a condensed message may have.',
          integer(leastSummaryChars),
          500,
        ),
      },
    },
    providers: {
      meaning:
        'What differs for a provider ("anthropic") or a model ("openai:gpt-5"), the most specific first.',
      isByName: true,
      settings: {
        context_length: setting('Tokens the model accepts.', overrides.contextLength),
        trigger_token_ratio: setting('As in summarisation.', overrides.triggerTokenRatio),
        reset_token_ratio: setting('As in summarisation.', overrides.resetTokenRatio),
        preserve_recent: setting(
          'Messages kept word for word at the end, at least.',
          overrides.preserveRecent,
        ),
        preserve_recent_token_ratio: setting(
          'The kept end grows while it fits in this share of what the model accepts.',
          overrides.preserveRecentTokenRatio,
        ),
        placement: setting(
          'Where the summary goes: a system message of its own, the leading one, or the first message of the user.',
          overrides.placement,
        ),
        token_multiplier: setting(
          'Tokens of the model for one of o200k.',
          overrides.tokenMultiplier,
        ),
      },
    },
    store: {
      meaning: 'Where summaries are kept.',
      settings: {
        name: setting(
          '"memory", or a store of the program by its name.',
          orAnyName('memory'),
          'memory',
        ),
        url: setting('Its address, as that store takes it; "memory" needs none.', anyString, ''),
      },
    },
    strategies: {
      meaning: "Options of the program's own strategies, by their names.",
      isByName: true,
      settings: {},
    },
  };
});

function setting(meaning: string, rule: OptionRule, fallback?: unknown): Setting {
  return { meaning, rule, fallback };
}

function mode(meaning: string): Setting {
  return setting(meaning, oneOf('full', 'summary', 'omit'), 'full');
}

function template(meaning: string): Setting {
  return setting(meaning, anyString, 'default');
}

/** A name that the package knows, which editors complete, or one of the program's. */
function orAnyName(...names: readonly string[]): OptionRule {
  return z.union([z.enum(names), z.string()], { error: 'a string' });
}

/** What an option accepts, or a word that says that it is not set. */
function orWord(rule: OptionRule, word: string): OptionRule {
  const { message = '' } = rule.safeParse(undefined).error?.issues[0] ?? {};
  return z.union([rule, z.literal(word)], { error: `${message}, or "${word}"` });
}
