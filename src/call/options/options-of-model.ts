import { validate } from '../../foundations/checks/check-object.ts';
import { anyObject } from '../../foundations/checks/option-rule.ts';
import type { ModelIdentity, WrappedModel } from '../../prompt/messages/prompt-types.ts';
import { runSafely } from '../../foundations/util/async/callbacks.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { optionsSchema } from './read-options.ts';
import type { SummarizationOptions } from './summarization-options.ts';

type SupportedUrls = WrappedModel['supportedUrls'];

/** Options of middlewares, under the list of addresses that each wrapped model supports. */
const optionsByList = new WeakMap<object, SummarizationOptions>();

/**
 * Copies the list of addresses that a model supports, so that the copy identifies the options of the middleware around
 * it. The SDK puts the object itself into the wrapped model, and so do middlewares around that; nothing else of a
 * middleware can be reached from a model.
 */
export function listWithOptions(list: SupportedUrls, options: SummarizationOptions): SupportedUrls {
  const copyOf = <List extends object>(original: List): List => {
    const copy = { ...original };
    optionsByList.set(copy, options);
    return copy;
  };
  if (!isObject(list) || typeof list['then'] !== 'function') return copyOf(list);
  const copy = Promise.resolve(list).then(copyOf);
  // Nobody may ask for it.
  runSafely(() => copy);
  return copy;
}

/**
 * Returns the options of the middleware around a model, if there is one, and over them those of a caller. Options of the
 * middleware that are wrong beside those are left out, such as its summarizing model beside a strategy object.
 *
 * @throws {SummarizationOptionError} when the caller's are no object.
 */
export async function optionsAround(
  { supportedUrls }: ModelIdentity & { readonly supportedUrls?: SupportedUrls },
  options: SummarizationOptions = {},
): Promise<SummarizationOptions> {
  const list = await supportedUrls;
  const own = list && optionsByList.get(list);
  if (own === undefined) return options;
  validate(anyObject(), options);
  const all = { ...own, ...options };
  const { error } = optionsSchema().safeParse(all);
  for (const { path } of error?.issues ?? [])
    if (!Object.hasOwn(options, path[0] ?? '')) Reflect.deleteProperty(all, path[0] ?? '');
  return all;
}
