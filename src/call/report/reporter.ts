import { makeRedactor } from '../../prompt/cleaning/redactor.ts';
import type { StoreReport } from '../../state/stores/sealed-store.ts';
import type { SummaryAttempt } from '../../summaries/strategies/summary-strategy.ts';
import type { SummarizationTelemetry } from '../../foundations/telemetry/telemetry.ts';
import { messageOf } from '../../foundations/util/errors.ts';
import { runSafely } from '../../foundations/util/async/callbacks.ts';
import { type BoundedMap, boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import {
  type Instrument,
  eventUse,
  type EventBody,
  type EventCall,
  type EventFields,
  type SummarizationEvent,
  type SummarizationStats,
  instruments,
  meterOf,
} from './events.ts';

/** Something to mend in the set-up. */
export interface CallWarning {
  readonly code: EventFields['warning']['code'];
  /**
   * Cause of the warning, if it is not the model: each cause is reported once.
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
  readonly redact?: Parameters<typeof makeRedactor>[0];
  readonly telemetry?: SummarizationTelemetry | undefined;
}

/** Characters of what has been said once. */
const maxSaidCharacters = 100_000;

function saidOnce(): BoundedMap<true> {
  return boundedMap(maxSaidCharacters, (key) => key.length);
}

/** Warnings of this process in the SDK's log. */
const logged = saidOnce();

/** Tells what happens to the calls of one middleware: to `onEvent`, the debug log, a meter and `stats()`. Never throws. */
export class Reporter {
  readonly #options: ReporterOptions;
  readonly #clean: (text: string) => string;
  readonly #count: ReturnType<typeof meterOf>;
  readonly #said = saidOnce();
  readonly #sums: Record<Instrument, number> = Object.fromEntries(
    Object.keys(instruments).map((name): unknown[] => [name, 0]),
  );

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#clean = makeRedactor(options.redact);
    this.#count = meterOf(options.telemetry);
  }

  readonly emit = (event: SummarizationEvent): void => {
    const { onEvent } = this.#options;
    if (onEvent !== undefined) runSafely(() => onEvent(event));
    const { measures, line } = eventUse(event) ?? {};
    for (const measure of measures?.(event) ?? []) {
      this.#sums[measure[0]] += measure[1];
      const count = this.#count;
      if (count !== undefined) runSafely(() => count(event, measure));
    }
    const isLogged = line !== undefined && (this.#options.debug ?? false) !== false;
    if (isLogged) runSafely(() => this.log(line(event)));
  };

  readonly stats = (): SummarizationStats => {
    const { duration, score, ...counted } = this.#sums;
    const mean = score / Math.max(1, counted.summaries);
    return { ...counted, score: mean, durationMs: duration * 1000 };
  };

  /** Writes a debug line. */
  readonly log = (line: string): void => {
    const { debug = false } = this.#options;
    if (debug === false) return;
    const text = (): string => this.#clean(`[summarization] ${line}`);
    runSafely(() => (typeof debug === 'function' ? debug(text()) : console.debug(text())));
  };

  /** Writes the debug line of an attempt to summarize that failed. */
  logAttempt({ model, outcome, detail = '', excerpt = '' }: SummaryAttempt): void {
    if (outcome !== 'ok')
      this.log(
        `attempt model=${model} outcome=${outcome} detail=${JSON.stringify(detail)} excerpt=${JSON.stringify(excerpt)}`,
      );
  }

  /** Reports the events of one call. */
  ofCall(call: EventCall): CallReporter {
    const { provider, modelId } = call;
    const name = `${provider}:${modelId}`;
    return {
      emit: (event) => this.emit({ ...event, ...call }),
      warn: ({ code, message, cause = name }) => {
        const about = `${code} ${cause}`;
        if (isNew(this.#said, `${name} ${about}`))
          this.emit({ type: 'warning', code, provider, modelId, message });
        if (isNew(logged, about)) runSafely(() => logWarning(call, message));
      },
    };
  }
}

function isNew(said: BoundedMap<true>, about: string): boolean {
  const isFirst = said.get(about) === undefined;
  said.set(about, true);
  return isFirst;
}

const clusterRemedy =
  "the server is one of a cluster; give a client of the cluster, such as that of createCluster of redis or ioredis' Cluster";
const authRemedy = 'the client has no password that the server takes; give it one';

/** Remedies for refusals of Redis that last until the configuration changes. */
const redisRemedies: Readonly<Record<string, string>> = {
  MOVED: clusterRemedy,
  CROSSSLOT: clusterRemedy,
  NOAUTH: authRemedy,
  WRONGPASS: authRemedy,
  NOPERM: 'its user may not do so; grant GET, SET, EVAL, DEL and SCAN on the keys of prefix',
};

/** Tells, in the words of one call, what becomes of the store. */
export function storeReport({ emit, warn }: CallReporter): StoreReport {
  return {
    onFault: (error) => {
      emit({ type: 'failed', stage: 'store', reason: 'the store failed', error });
      const [refusal = ''] =
        /\b(?:MOVED|CROSSSLOT|NOAUTH|WRONGPASS|NOPERM)\b/.exec(messageOf(error)) ?? [];
      const remedy = redisRemedies[refusal];
      if (remedy === undefined) return;
      warn({
        code: 'state-not-shared',
        cause: 'store',
        message: `Redis refuses a command of the store (${refusal}): ${remedy}. Until then, other processes do not see the summaries of this one and may pay for the same ones.`,
      });
    },
    onOutage: () => {
      emit({ type: 'store-outage', isOver: false });
      warn({
        code: 'state-not-shared',
        cause: 'store',
        message:
          'The store failed three times in a row and is now asked less often, down to once a minute. Until it answers, other processes do not see the summaries of this one and may pay for the same ones.',
      });
    },
    onRecovery: () => emit({ type: 'store-outage', isOver: true }),
  };
}

/** Writes a warning where the SDK writes those of answers: its log, unless it is silenced. */
function logWarning({ provider, modelId: model }: EventCall, message: string): void {
  const logger: unknown = Reflect.get(globalThis, 'AI_SDK_LOG_WARNINGS');
  const text = `ai-sdk-summarization: ${message}`;
  if (typeof logger === 'function')
    logger({ warnings: [{ type: 'other', message: text }], provider, model });
  else if (logger !== false) console.warn(text);
}
