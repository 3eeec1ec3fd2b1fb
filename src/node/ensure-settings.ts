import { dirname, relative, resolve, sep } from 'node:path';
import { checkTexts } from '../checks/check-object.ts';
import {
  defaultsOf,
  providerSettings,
  ruleOf,
  sectionMeanings,
  sections,
  type SectionSchema,
} from './setting-rules.ts';
import { writeNewFile } from './write-new-file.ts';

const comment =
  'Settings of ai-sdk-summarization. Keys that begin with _ are notes and have no effect; a value that is missing or wrong counts as its default, with a warning. Changes are read when the program starts.';

/**
 * Writes a `settings.json` that holds every default and explains it, unless there is a file already.
 * Folders that do not exist are made. Its `$schema` is the one of the package in the working directory's
 * `node_modules`, so that editors complete and check it.
 *
 * @returns Whether the file was written.
 * @throws {SummarizationOptionError} when the path is no string or is empty; what the file system throws,
 * other than for a file that exists.
 */
export function ensureSettings(path: string): boolean {
  checkTexts({ path }, 'a string that is not empty');
  const schema = resolve('node_modules/ai-sdk-summarization/settings.schema.json');
  const named: Readonly<Record<string, SectionSchema>> = sections;
  const settings = {
    $schema: relative(dirname(resolve(path)), schema).replaceAll(sep, '/'),
    _comment: comment,
    ...Object.fromEntries(
      Object.entries(sectionMeanings).map(([name, meaning]) => {
        const values = named[name];
        const help = values ?? (name === 'providers' ? providerSettings : {});
        return [name, { _comment: meaning, _help: helpOf(help), ...defaultsOf(values ?? {}) }];
      }),
    ),
  };
  return writeNewFile(path, `${JSON.stringify(settings, null, 2)}\n`);
}

function helpOf(section: SectionSchema): Readonly<Record<string, string>> {
  const help = Object.entries(section).map(([name, schema]) => {
    const fallback = schema.default === undefined ? 'as for all' : JSON.stringify(schema.default);
    return [
      name,
      `${schema.description} Allowed: ${ruleOf(schema).allowed}. Default: ${fallback}.`,
    ];
  });
  return Object.fromEntries(help);
}
