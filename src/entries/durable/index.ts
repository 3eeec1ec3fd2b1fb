import type { LanguageModel, LanguageModelMiddleware } from 'ai';
import { checkTexts, checkThat } from '../../foundations/checks/check-object.ts';
import { isModel } from '../../foundations/checks/option-rule.ts';
import type { WrappedModel } from '../../prompt/messages/prompt-types.ts';
import { resolveModel } from '../../summaries/models/resolve-model.ts';
import { makeOnce } from '../../foundations/util/async/waiting.ts';

/** Makes a model: a step (`'use step'`), which a workflow hands on by its name. */
export type MakeModel = () => LanguageModel | PromiseLike<LanguageModel>;

/** Makes a middleware, with the first call that needs it. */
export type MakeMiddleware = () => LanguageModelMiddleware | PromiseLike<LanguageModelMiddleware>;

/** Data of a {@link durableModel} that a step of a workflow gets. */
export interface DurableModelData {
  /**
   * The model inside the middleware: an id, a step that makes it, or a model that a workflow can serialize. The
   * serialized form of a provider may hold its key, and goes into the log of the workflow.
   */
  readonly model: LanguageModel | MakeModel;
  /** The name that the middleware was registered under. */
  readonly middleware: string;
}

// The names by which `@workflow/serde` knows them, and the compiler of workflows finds the class.
const WORKFLOW_SERIALIZE: unique symbol = Symbol.for('workflow-serialize');
const WORKFLOW_DESERIALIZE: unique symbol = Symbol.for('workflow-deserialize');

const registryKey: unique symbol = Symbol.for('ai-sdk-summarization.middlewares');

/** Not in the middle of a function: the compiler of workflows registers it where it finds it. */
class DurableModel implements WrappedModel {
  readonly specificationVersion = 'v4';
  readonly #data: DurableModelData;

  static [WORKFLOW_SERIALIZE](model: DurableModel): DurableModelData {
    return model.#data;
  }

  static [WORKFLOW_DESERIALIZE](data: DurableModelData): DurableModel {
    return new DurableModel(data);
  }

  constructor({ model, middleware }: DurableModelData) {
    const isKnown = typeof model === 'function' || isModel(model);
    checkThat(isKnown, 'model', model, 'a language model, the id of one, or a step that makes it');
    checkTexts({ middleware }, 'a string that is not empty');
    this.#data = { model, middleware };
  }

  get provider(): string {
    const { model } = this.#data;
    return typeof model === 'object' ? model.provider : 'durable';
  }

  get modelId(): string {
    const { model, middleware } = this.#data;
    if (typeof model === 'function') return middleware;
    return typeof model === 'string' ? model : model.modelId;
  }

  get supportedUrls(): WrappedModel['supportedUrls'] {
    return this.#wrap().then(({ supportedUrls }) => supportedUrls);
  }

  async doGenerate(
    options: Parameters<WrappedModel['doGenerate']>[0],
  ): Promise<Awaited<ReturnType<WrappedModel['doGenerate']>>> {
    return (await this.#wrap()).doGenerate(options);
  }

  async doStream(
    options: Parameters<WrappedModel['doStream']>[0],
  ): Promise<Awaited<ReturnType<WrappedModel['doStream']>>> {
    return (await this.#wrap()).doStream(options);
  }

  /** With each call: where a workflow only hands it on, nothing is opened. */
  async #wrap(): Promise<WrappedModel> {
    const { model, middleware } = this.#data;
    const registered = registeredMiddlewares().get(middleware);
    const allowed =
      'a name that registerMiddleware was called with in the process that runs the step';
    checkThat(registered !== undefined, 'middleware', middleware, allowed);
    const { sdk } = await import('../../summaries/models/used-sdk.ts');
    const inner = await resolveModel(typeof model === 'function' ? await model() : model);
    return sdk.wrapLanguageModel({ model: inner, middleware: await registered() });
  }
}

/**
 * A wrapped model that crosses the steps of a workflow (`WorkflowAgent`, the Workflow SDK): it carries the model
 * under the middleware and the name of the middleware, which each process has registered with
 * {@link registerMiddleware}. Processes find each other's summaries where the middleware has a `store` and a `secret`.
 *
 * @example
 * const agent = new WorkflowAgent({
 *   model: durableModel({ model: 'anthropic/claude-sonnet-5', middleware: 'summaries' }),
 * });
 *
 * @throws {SummarizationOptionError} when what it is made of is wrong; a call rejects with it where no middleware of
 * that name is registered.
 */
export function durableModel(data: DurableModelData): WrappedModel {
  return new DurableModel(data);
}

type Registered = Map<string, () => Promise<LanguageModelMiddleware>>;

/** Those of this process, whatever copy of the package has registered them: steps are bundled apart. */
function registeredMiddlewares(): Registered {
  const shared: typeof globalThis & { [registryKey]?: Registered } = globalThis;
  shared[registryKey] ??= new Map();
  return shared[registryKey];
}

/**
 * Registers a middleware for the models of {@link durableModel} that carry its name: at module level, in every process that runs
 * steps. Registered again under the same name, the later one is used from then on.
 *
 * @param make - Called with the first call of a model, and again where it failed. As a step itself (`'use step'`) it is kept out of the
 * workflow's bundle, where no store can be opened.
 * @throws {SummarizationOptionError} when the name is empty or `make` no function.
 */
export function registerMiddleware(name: string, make: MakeMiddleware): void {
  checkTexts({ name }, 'a string that is not empty');
  checkThat(typeof make === 'function', 'make', make, 'a function that returns a middleware');
  registeredMiddlewares().set(
    name,
    makeOnce(async () => make()),
  );
}
