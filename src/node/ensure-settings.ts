import { dirname, relative, resolve, sep } from 'node:path';
import { checkTexts } from '../checks/check-object.ts';
import { settingSections, type Setting } from '../options/settings.ts';
import { refusalOf } from './read-section.ts';
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
  const content = {
    $schema: relative(dirname(resolve(path)), schema).replaceAll(sep, '/'),
    _comment: comment,
    ...Object.fromEntries(
      Object.entries(settingSections()).map(([section, { meaning, settings, isByName }]) => {
        const named = Object.entries(settings);
        const help = Object.fromEntries(named.map(([name, each]) => [name, helpOf(each)]));
        const values = Object.fromEntries(named.map(([name, { fallback }]) => [name, fallback]));
        return [section, { _comment: meaning, _help: help, ...(isByName === true ? {} : values) }];
      }),
    ),
  };
  return writeNewFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

function helpOf({ meaning, rule, fallback }: Setting): string {
  const whenMissing = fallback === undefined ? 'as for all' : JSON.stringify(fallback);
  return `${meaning} Allowed: ${refusalOf(rule, undefined)}. Default: ${whenMissing}.`;
}
