import { checkTexts } from '../checks/check-object.ts';
import {
  defaultsOf,
  summarisationRules,
  summaryPromptRules,
  type SettingRule,
  type SettingRules,
} from './setting-rules.ts';
import { writeNewFile } from './write-new-file.ts';

/**
 * Writes a `settings.json` that holds every default and explains it, unless there is a file already.
 * Folders that do not exist are made.
 *
 * @returns Whether the file was written.
 * @throws {SummarizationOptionError} when the path is no string or is empty; what the file system throws,
 * other than for a file that exists.
 */
export function ensureSettings(path: string): boolean {
  checkTexts({ path }, 'a string that is not empty');
  const settings = {
    _comment:
      'Settings of ai-sdk-summarization. Keys that begin with _ are notes and have no effect; a value that is missing or wrong counts as its default, with a warning. Changes are read when the program starts.',
    summarisation: section(summarisationRules),
    summary_prompts: section(summaryPromptRules),
  };
  return writeNewFile(path, `${JSON.stringify(settings, null, 2)}\n`);
}

function section<Section extends object>(rules: SettingRules<Section>): object {
  const help = Object.entries<SettingRule<unknown>>(rules).map(
    ([name, { meaning, allowed, fallback }]) => [
      name,
      `${meaning} Allowed: ${allowed}. Default: ${JSON.stringify(fallback)}.`,
    ],
  );
  return { _help: Object.fromEntries(help), ...defaultsOf(rules) };
}
