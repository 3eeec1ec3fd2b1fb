import { redactionDoor } from '../cleaning/redaction-door.ts';
import type { StoreReport } from '../stores/sealed-store.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import type { SummarizationTelemetry } from '../telemetry/telemetry.ts';
import { harmlessly } from '../util/async/callbacks.ts';
import { type BoundedMap, boundedMap } from '../util/maps/bounded-map.ts';
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
   * Warns of what is to be mended in the set-up: as an event, once for a model and a middleware, and in the SDK's log,
   * once for the process.
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
  readonly #said = toldOnce();
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

  /**
   * What tells of one call.
   *
   * @param told - What the log of the process has been told.
   */
  ofCall(call: EventCall, told: BoundedMap<true>): CallReporter {
    const { provider, modelId } = call;
    const name = `${provider}:${modelId}`;
    return {
      emit: (event) => this.emit({ ...event, ...call }),
      warn: ({ code, message, cause = name }) => {
        const about = `${code} ${cause}`;
        if (isNew(this.#said, `${name} ${about}`))
          this.emit({ type: 'warning', code, provider, modelId, message });
        if (isNew(told, about)) harmlessly(() => logWarning(call, message));
      },
    };
  }
}

function isNew(told: BoundedMap<true>, about: string): boolean {
  const isFirst = told.get(about) === undefined;
  told.set(about, true);
  return isFirst;
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

/** What has been told once in the process. */
export function toldOnce(): BoundedMap<true> {
  return boundedMap(maxSaidCharacters, (key) => key.length);
}

/** Writes a warning where the SDK writes those of answers: its log, unless it is silenced. */
function logWarning({ provider, modelId: model }: EventCall, message: string): void {
  const logger: unknown = Reflect.get(globalThis, 'AI_SDK_LOG_WARNINGS');
  const text = `ai-sdk-summarization: ${message}`;
  if (typeof logger === 'function')
    logger({ warnings: [{ type: 'other', message: text }], provider, model });
  else if (logger !== false) console.warn(text);
}
