import type { SharedV4Warning } from '@ai-sdk/provider';
import { redactionDoor } from '../cleaning/redaction-door.ts';
import { maxModels } from '../prompt/model-name.ts';
import type { StoreReport } from '../stores/sealed-store.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import type { SummarizationTelemetry } from '../telemetry/telemetry.ts';
import { harmlessly } from '../util/async/callbacks.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import {
  useOf,
  type EventBody,
  type EventCall,
  type EventFields,
  type SummarizationEvent,
  eventCounter,
} from './events.ts';

/** What `stats()` of a middleware says, since it was made. Costs are in tokens at the price of uncached input. */
export interface SummarizationStats {
  /** Calls that were answered. */
  readonly calls: number;
  /** Summaries that were written, by fallbacks too. */
  readonly summaries: number;
  /** Calls of summarising models: all, those that failed or were of no use, those that were aborted. */
  readonly attempts: { readonly made: number; readonly failed: number; readonly aborted: number };
  /** Failed summaries, and what else failed, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  readonly fallbacks: number;
  /** Times that old tool outputs gave way to a line of facts each. */
  readonly condensed: number;
  readonly tokens: CallTokens & SummarizerTokens;
  readonly cost: {
    /** What calls cost, and summaries. */
    readonly calls: number;
    readonly summaries: number;
    /** What the tokens that were not sent would have cost, read from the cache. */
    readonly saved: number;
  };
}

/** Tokens of calls. */
interface CallTokens {
  /** Of prompts, those read from a cache included, and of these. */
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
  /** Tokens that were not sent because a summary or a line of facts stood for them: an estimate. */
  readonly saved: number;
}

/** Tokens that summarising models billed. */
interface SummarizerTokens {
  readonly summarizerInput: number;
  readonly summarizerOutput: number;
}

/** Something to mend in the set-up. */
export interface CallWarning {
  readonly code: EventFields['warning']['code'];
  /**
   * What the warning is about, where that is not the model: one cause is told of once.
   * @default the model
   */
  readonly cause?: string | undefined;
  readonly message: string;
}

/** Tells what happens in one call. */
export interface CallReporter {
  readonly emit: (event: EventBody) => void;
  /**
   * Warns of what is to be mended in the set-up: as an event, once for a model and a middleware, and in
   * the `warnings` of this answer or the next one of the model, once for the process.
   */
  readonly warn: (warning: CallWarning) => void;
}

interface ReporterOptions {
  readonly onEvent?: ((event: SummarizationEvent) => void) | undefined;
  readonly debug?: boolean | ((line: string) => void) | undefined;
  readonly redact?: Parameters<typeof redactionDoor>[0];
  readonly telemetry?: SummarizationTelemetry | undefined;
}

/** Reasons that are told apart: strategies of others may give any. */
const maxReasons = 100;
/** Characters of what has been said once. */
const maxSaidCharacters = 100_000;

/** Tells what happens to the calls of one middleware: to `onEvent`, the debug log, a meter and `stats()`. Never throws. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #clean: (text: string) => string;
  readonly #measure: ReturnType<typeof eventCounter>;
  readonly #said = boundedMap<true>(maxSaidCharacters, (key) => key.length);
  readonly #failures = new Map<string, number>();
  readonly #counts = { calls: 0, summaries: 0, fallbacks: 0, condensed: 0 };
  readonly #attempts = { made: 0, failed: 0, aborted: 0 };
  readonly #tokens = { input: 0, cacheRead: 0, output: 0, saved: 0 };
  readonly #billed = { summarizerInput: 0, summarizerOutput: 0 };
  readonly #cost = { calls: 0, summaries: 0, saved: 0 };

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#clean = redactionDoor(options.redact);
    this.#measure = eventCounter(options.telemetry);
  }

  readonly emit = (event: SummarizationEvent): void => {
    this.#sum(event);
    harmlessly(() => this.#options.onEvent?.(event));
    harmlessly(() => this.#measure?.(event));
    const line = useOf(event)?.line;
    if (line !== undefined) harmlessly(() => this.log(line(event)));
  };

  #sum(event: SummarizationEvent): void {
    const counts = this.#counts;
    if (event.type === 'end') counts.summaries += 1;
    else if (event.type === 'fallback') counts.fallbacks += 1;
    else if (event.type === 'skipped' && event.reason === 'condensed') counts.condensed += 1;
    else if (event.type === 'failed') {
      const count = this.#failures.get(event.reason);
      if (count !== undefined || this.#failures.size < maxReasons)
        this.#failures.set(event.reason, (count ?? 0) + 1);
    }
  }

  /** Writes a debug line. */
  readonly log = (line: string): void => {
    const { debug = false } = this.#options;
    if (debug === false) return;
    const text = (): string => this.#clean(`[summarization] ${line}`);
    harmlessly(() => (typeof debug === 'function' ? debug(text()) : console.debug(text())));
  };

  #isNew(said: string): boolean {
    const isNew = this.#said.get(said) === undefined;
    this.#said.set(said, true);
    return isNew;
  }

  /** Counts an attempt to summarise, and writes the debug line of a failed one. */
  attempted({ model, outcome, detail = '', excerpt = '' }: SummaryAttempt): void {
    this.#attempts.made += 1;
    if (outcome === 'aborted') this.#attempts.aborted += 1;
    else if (outcome !== 'ok') this.#attempts.failed += 1;
    if (outcome !== 'ok')
      this.log(
        `attempt model=${model} outcome=${outcome} detail=${JSON.stringify(detail)} excerpt=${JSON.stringify(excerpt)}`,
      );
  }

  /** Adds tokens that summarising models billed, and what they cost. */
  spent(billed: SummarizerTokens, cost: number): void {
    this.#billed.summarizerInput += billed.summarizerInput;
    this.#billed.summarizerOutput += billed.summarizerOutput;
    this.#cost.summaries += cost;
  }

  /** Adds a call that was answered. */
  answered(tokens: CallTokens, cost: Pick<SummarizationStats['cost'], 'calls' | 'saved'>): void {
    this.#counts.calls += 1;
    this.#tokens.input += tokens.input;
    this.#tokens.cacheRead += tokens.cacheRead;
    this.#tokens.output += tokens.output;
    this.#tokens.saved += tokens.saved;
    this.#cost.calls += cost.calls;
    this.#cost.saved += cost.saved;
  }

  readonly stats = (): SummarizationStats => ({
    ...this.#counts,
    attempts: { ...this.#attempts },
    failures: Object.fromEntries(this.#failures),
    tokens: { ...this.#tokens, ...this.#billed },
    cost: { ...this.#cost },
  });

  /** What tells of one call; what it warns of waits in `warnings` for the next answer of its model. */
  ofCall(call: EventCall, { memory, modelKey }: WarningPlace): CallReporter {
    const name = `${call.provider}:${call.modelId}`;
    return {
      emit: (event) => this.emit({ ...event, ...call }),
      warn: ({ code, message, cause = name }) => {
        const about = `${code} ${cause}`;
        const { provider, modelId } = call;
        if (this.#isNew(`${name} ${about}`))
          this.emit({ type: 'warning', code, provider, modelId, message });
        memory.warnings.note(modelKey, { cause: about, message });
      },
    };
  }
}

/** Tells, in the words of one call, what becomes of the store. */
export function storeReport({ emit, warn }: CallReporter): StoreReport {
  return {
    onFault: (error) => emit({ type: 'failed', stage: 'store', reason: 'the store failed', error }),
    onOutage: () => {
      emit({ type: 'store-outage', isOver: false });
      warn({
        code: 'state-not-shared',
        cause: 'store',
        message:
          'The store has failed three times in a row; it is asked ever more rarely, down to once a minute. Until it answers again, what this process knows is not shared with others, who may pay for the same summaries.',
      });
    },
    onRecovery: () => emit({ type: 'store-outage', isOver: true }),
  };
}

const maxWaitingOfModel = 20;

/** Keeps what is to be said in the `warnings` of answers of 1,000 models, each cause once for the process. */
export class WarningMemory {
  readonly #told = boundedMap<true>(maxSaidCharacters, (cause) => cause.length);
  readonly #waiting = boundedMap<Map<string, string>>(maxModels);

  /** Keeps a message for the next answer of a model, unless its cause has been told, whatever was said of it. */
  note(
    modelKey: string,
    { cause, message }: { readonly cause: string; readonly message: string },
  ): void {
    const ofModel = this.#waiting.get(modelKey) ?? new Map<string, string>();
    if (this.#told.get(cause) === true || ofModel.size >= maxWaitingOfModel) return;
    this.#waiting.set(modelKey, ofModel.set(cause, message));
  }

  /** Takes what an answer of a model is to tell; it counts as told from then on. */
  take(modelKey: string): readonly string[] {
    const ofModel = [...(this.#waiting.get(modelKey) ?? [])];
    this.#waiting.delete(modelKey);
    // Another model's answer may have told of a cause that they share.
    const untold = ofModel.filter(([cause]) => this.#told.get(cause) !== true);
    for (const [cause] of untold) this.#told.set(cause, true);
    return untold.map(([, message]) => `ai-sdk-summarization: ${message}`);
  }
}

/** Where the warnings wait that the next answer of a model is to tell. */
export interface WarningPlace {
  readonly memory: { readonly warnings: WarningMemory };
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
}

/** Writes what waits to the console: once for the process, like all of it. */
export function warnOnConsole({ memory, modelKey }: WarningPlace): void {
  for (const message of memory.warnings.take(modelKey)) console.warn(message);
}

/**
 * Adds what is to be mended in the set-up to the `warnings` of an answer, which the SDK logs; writes it to the
 * console where the SDK's log would fail.
 */
export function withCallWarnings<T extends { readonly warnings: SharedV4Warning[] }>(
  place: WarningPlace,
  answer: T,
): T {
  if (!sdkLogsWarnings()) {
    // As the SDK does where it finds no `process.emitWarning`.
    warnOnConsole(place);
    return answer;
  }
  const added = place.memory.warnings.take(place.modelKey);
  if (added.length === 0) return answer;
  // A provider without types may leave its own out.
  const own: unknown = answer.warnings;
  const others = added.map((message) => ({ type: 'other', message }) as const);
  return { ...answer, warnings: [...(Array.isArray(own) ? answer.warnings : []), ...others] };
}

/**
 * Whether the SDK's warning log works here. Next.js puts a `process.emitWarning` that throws into its edge
 * runtime, and the SDK calls it for every warning of an answer: a warning there would cost the answer.
 */
function sdkLogsWarnings(): boolean {
  const logger: unknown = Reflect.get(globalThis, 'AI_SDK_LOG_WARNINGS');
  if (logger === false || typeof logger === 'function') return true;
  return !('EdgeRuntime' in globalThis);
}
