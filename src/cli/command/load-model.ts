import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WrappedModel } from '../../prompt/prompt-types.ts';
import { resolveModel } from '../../strategies/models/resolve-model.ts';
import { isObject } from '../../util/is-object.ts';
import { messageOf } from '../../util/errors.ts';
import { CommandError } from './command-error.ts';

/**
 * Makes a model: of the provider that a package or file of the user exports, or by the AI Gateway.
 *
 * @throws {CommandError} where there is no such module, provider or model.
 */
export async function loadModel(name: string, provider: string | undefined): Promise<WrappedModel> {
  try {
    const model: unknown =
      provider === undefined
        ? await resolveModel(name)
        : providerIn(await imported(provider), provider).languageModel(name);
    if (isModel(model)) return model;
    throw new Error('it is no language model of AI SDK 6 or 7');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The model ${JSON.stringify(name)} cannot be made: ${messageOf(error)}`);
  }
}

interface Provider {
  readonly languageModel: (name: string) => unknown;
}

function providerIn(module: object, name: string): Provider {
  const provider = Object.values(module).find(isProvider);
  if (provider === undefined)
    throw new CommandError(`${name} exports no provider: nothing with a function languageModel.`);
  return provider;
}

/** Found from the folder in which the command runs, where users have their packages and files. */
async function imported(name: string): Promise<object> {
  const here = path.resolve('package.json');
  const file =
    name.startsWith('.') || path.isAbsolute(name)
      ? path.resolve(name)
      : createRequire(here).resolve(name);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

function isProvider(value: unknown): value is Provider {
  const isHolder = typeof value === 'function' || isObject(value);
  return isHolder && typeof Reflect.get(value, 'languageModel') === 'function';
}

function isModel(value: unknown): value is WrappedModel {
  const version = isObject(value) ? value['specificationVersion'] : undefined;
  return version === 'v4' || version === 'v3';
}
