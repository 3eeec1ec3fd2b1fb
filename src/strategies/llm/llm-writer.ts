import { boundedMap } from '../../util/maps/bounded-map.ts';
import { listCache } from '../../util/maps/cache-figures.ts';
import { SummarizationError, withDetails } from '../../errors/summarization-error.ts';
import { promptVersion, resolvePrompts } from '../../prompts/resolve-prompts.ts';
import { redactionDoor } from '../../cleaning/redaction-door.ts';
import { availableTextCounter } from '../../tokens/text/load-text-counter.ts';
import { lengthInTable } from '../../tokens/context-lengths/length-in-table.ts';
import { timeSlices } from '../../util/async/time-slices.ts';
import { askModels, type AskModelsOptions, type ModelPanel } from '../models/ask-models.ts';
import { modelBreaker, type EnterModel } from '../models/breaker.ts';
import { modelManners, type ModelManners } from '../models/request-form.ts';
import { nameOfModel } from '../models/resolve-model.ts';
import { askInConversation } from './ask-in-conversation.ts';
import type { LlmStrategyOptions } from './llm-strategy.ts';
import { resolveMessageFilter, type ResolvedMessageFilter } from '../messages/message-filter.ts';
import { readTranscript } from '../transcript/read-transcript.ts';
import { fillRecord } from '../rule-based/write-by-rules.ts';
import { summarizeTranscript } from './summarize-transcript.ts';
import type { SummaryInput, SummaryOutput, SummaryStrategy } from '../summary-strategy.ts';

/** Milliseconds without a sign of the model after which a call counts as failed, where nobody says. */
const defaultTimeoutMs = 60_000;

/** Milliseconds after which a call that is under way counts as failing, where nobody says. */
const defaultSlowMs = 10_000;

/** Condensed messages kept by one strategy: some 4,000 of the usual length, a few megabytes. */
const cacheCharacters = 2_000_000;

/** Models of which is kept how much they read, for each namespace. */
const maxLearnedModels = 1000;

/** Makes the part of `llmStrategy` that loads with the first summary. Takes checked options. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function llmWriter(options: LlmStrategyOptions): SummaryStrategy['summarize'] {
  const prompts = resolvePrompts(options.prompts);
  const filter = resolveMessageFilter(options.messageFilter);
  const cache = boundedMap<string>(cacheCharacters, (key, text) => key.length + text.length);
  listCache('condensed', cache.size);
  const enter = modelBreaker();
  const manners = modelManners();
  const learned = boundedMap<number>(maxLearnedModels);
  return async (given) => {
    const { maxTranscriptTokens = options.maxTranscriptTokens } = given;
    // Another model has nothing of the conversation in its cache.
    const conversation = options.models === undefined ? given.conversation : undefined;
    const input = { ...given, maxTranscriptTokens, conversation };
    const models = options.models ?? [input.model];
    const asked = panelOf(models, { enter, manners }, input);
    const panel = askInConversation(asked, input, prompts.summary.system);
    const slices = timeSlices({ abortSignal: input.abortSignal });
    const reading = { ...(await availableTextCounter()), slices };
    try {
      const parts = await readTranscript(input, { panel, prompts, cache, filter, slices });
      const condensing = panel.calls();
      const content = await summarizeTranscript({
        input,
        parts,
        prompts: prompts.summary,
        panel,
        calls: () => panel.calls() - condensing,
        learned,
        ...reading,
      });
      const earlier = input.previous?.minutes ?? '';
      const telling = { extractors: {}, preserveErrorDetails: false };
      const filled = await fillRecord(input, content, earlier, telling, reading);
      return {
        content: filled ?? content,
        usage: panel.usage(),
        ...(parts.length === 0 ? {} : versionOf(options, filter, input)),
      };
    } catch (error) {
      if (!SummarizationError.isInstance(error)) throw error;
      throw withDetails(error, { usage: panel.usage() });
    }
  };
}

/** What the templates that ask for a record say of their version. */
function versionOf(
  { prompts }: LlmStrategyOptions,
  filter: ResolvedMessageFilter,
  { previous, usePreviousNarrative }: SummaryInput,
): Pick<SummaryOutput, 'promptVersion'> {
  const continued = usePreviousNarrative ? 'update' : 'rebase';
  const condensed = (['toolResults', 'userMessages', 'agentMessages'] as const).filter(
    (name) => filter[name] === 'summary',
  );
  const names = [previous === undefined ? 'first' : continued, 'system', ...condensed] as const;
  return { promptVersion: promptVersion(prompts, names) };
}

function panelOf(
  models: AskModelsOptions['models'],
  { enter, manners }: { readonly enter: EnterModel; readonly manners: ModelManners },
  input: SummaryInput,
): ModelPanel {
  const { namespace = '', summaryTimeoutMs: timeoutMs = defaultTimeoutMs, maxWaitMs = 0 } = input;
  const slowMs = maxWaitMs === 0 ? defaultSlowMs : maxWaitMs;
  const { telemetry, onAttempt, onRest, onAlive, onPartial, termsFor, abortSignal } = input;
  const told = { telemetry, onAttempt, onRest, onAlive, onPartial };
  return askModels({
    ...told,
    models,
    enter: (model) => enter(model, namespace, slowMs),
    manners,
    timeoutMs,
    retryMs: timeoutMs,
    clean: redactionDoor(input.redact),
    termsFor,
    contextLengthOf: (model) => {
      const isOwn = nameOfModel(model) === nameOfModel(input.model);
      const { known, contextLength } = lengthInTable(model);
      const usual = known ? contextLength : undefined;
      return (
        input.declaredContextLength?.(model) ?? (isOwn ? input.contextLength : undefined) ?? usual
      );
    },
    abortSignal,
  });
}
