import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { countPromptTokens } from '../api/count-prompt-tokens.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import type { ModelIdentity, WrappedModel } from '../prompt/prompt-types.ts';
import { resolveModel } from '../strategies/models/resolve-model.ts';
import { lengthInTable } from '../tokens/context-lengths.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import { htmlReport } from './html-report.ts';
import { readConversations } from './read-conversations.ts';
import {
  replayConversation,
  type InspectedConversation,
  type InspectedLimit,
  type Inspection,
} from './replay-conversation.ts';
import { CommandError, contentOf, written, type Terminal } from './terminal.ts';
import { terminalReport } from './terminal-report.ts';

/** What `inspect` is asked for. */
export interface InspectArguments {
  readonly file: string;
  readonly strategy: 'llm' | 'rule-based' | 'none';
  /** Context lengths to try, in tokens; those of `model` where there are none. */
  readonly contexts: readonly number[];
  readonly model: string | undefined;
  readonly live: boolean;
  /** Package or file that exports the provider of the model that writes; the AI Gateway where there is none. */
  readonly provider: string | undefined;
  /** Dollars for a million input tokens. */
  readonly price: number | undefined;
  readonly json: boolean;
  /** Where the page is written. */
  readonly html: string | undefined;
}

/**
 * Plays the conversations of a file again, and reports what the middleware would do.
 *
 * @throws {CommandError} for what the user can mend.
 */
export async function inspect(given: InspectArguments, terminal: Terminal): Promise<void> {
  const read = await readConversations(await contentOf(given.file, terminal.stdin), given.file);
  const model = identityOf(given.model);
  const options = await optionsOf(given);
  const contexts = contextsOf(given, model);
  const conversations: InspectedConversation[] = [];
  for (const [index, { name, prompt }] of read.entries()) {
    const counted = await countPromptTokens({ prompt });
    const limits: InspectedLimit[] = [];
    const said = `conversation ${index + 1} of ${read.length}, context of`;
    for (const contextLength of contexts) {
      const onProgress = (done: number, total: number): void =>
        terminal.progress(`${said} ${contextLength}: call ${done} of ${total}`);
      const replay = { prompt, counted, contextLength, model, options, onProgress };
      limits.push(await replayConversation(replay));
    }
    conversations.push({ name, messages: prompt.length, tokens: counted.total, limits });
  }
  terminal.progress('');
  const { strategy, price, html } = given;
  const file = given.file === '-' ? 'standard input' : path.basename(given.file);
  const inspection: Inspection = { file, strategy, model: given.model, price, conversations };
  if (html !== undefined) await written(html, htmlReport(inspection));
  if (given.json) terminal.write(`${JSON.stringify(inspection, undefined, 2)}\n`);
  else terminal.write(`${html ?? terminalReport(inspection, terminal.columns)}\n`);
}

/** Milliseconds that a model may take for a summary: nobody waits for an answer here. */
const patience = 120_000;

async function optionsOf(given: InspectArguments): Promise<SummarizationOptions> {
  const { strategy, model, live, provider } = given;
  if (!live || model === undefined) return { strategy };
  const summarizerModelPreference = await loadModel(model, provider);
  return { strategy, summarizerModelPreference, summaryTimeoutMs: patience, maxWaitMs: patience };
}

/** Those that are named, else that of the model, else some usual ones. */
function contextsOf(
  { contexts, model }: InspectArguments,
  identity: ModelIdentity,
): readonly number[] {
  if (contexts.length > 0) return contexts;
  if (model === undefined) return [16_000, 64_000, 200_000];
  const { known, contextLength, inputLimit } = lengthInTable(identity);
  if (known) return [inputLimit ?? contextLength];
  throw new CommandError(`The context length of ${model} is not known: name it with --context.`);
}

/** A model by its name: `provider/model`, or the model alone; one that counts as o200k does where none is named. */
function identityOf(name = 'openai/gpt-5'): ModelIdentity {
  const slash = name.indexOf('/');
  return slash === -1
    ? { provider: 'unknown', modelId: name }
    : { provider: name.slice(0, slash), modelId: name.slice(slash + 1) };
}

/**
 * Makes a model: of the provider that a package or file of the user exports, or by the AI Gateway.
 *
 * @throws {CommandError} where there is no such module, provider or model.
 */
async function loadModel(name: string, module: string | undefined): Promise<WrappedModel> {
  try {
    const model: unknown =
      module === undefined
        ? await resolveModel(name)
        : (await providerIn(module)).languageModel(name);
    if (isModel(model)) return model;
    throw new Error('it is no language model of AI SDK 6 or 7');
  } catch (error) {
    throw new CommandError(`The model ${JSON.stringify(name)} cannot be made: ${messageOf(error)}`);
  }
}

interface Provider {
  readonly languageModel: (name: string) => unknown;
}

/** Found from the folder in which the command runs, where users have their packages and files. */
async function providerIn(name: string): Promise<Provider> {
  const isFile = name.startsWith('.') || path.isAbsolute(name);
  const { resolve } = createRequire(path.resolve('package.json'));
  const file = isFile ? path.resolve(name) : resolve(name);
  const exported: object = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const provider = Object.values(exported).find(isProvider);
  if (provider !== undefined) return provider;
  throw new Error(`${name} exports no provider: nothing with a function languageModel`);
}

function isProvider(value: unknown): value is Provider {
  const isHolder = typeof value === 'function' || isObject(value);
  return isHolder && typeof Reflect.get(value, 'languageModel') === 'function';
}

function isModel(value: unknown): value is WrappedModel {
  const version = isObject(value) ? value['specificationVersion'] : undefined;
  return version === 'v4' || version === 'v3';
}
