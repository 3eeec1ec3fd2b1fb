import { AsyncLocalStorage } from 'node:async_hooks';
import { quiet } from '../support/quiet.ts';
import type { VirtualClock } from '../support/virtual-clock.ts';

/** Somebody who does one thing, in a process that others may share. */
export interface Actor {
  readonly name: string;
  readonly process: number;
}

/** What becomes of a step. A write that is `lost` or `late` has happened; an actor or a process ends behind it. */
export type Fate = 'done' | 'fails' | 'lost' | 'late' | 'ends its request' | 'ends its process';

export type StepKind = 'reads' | 'writes' | 'removes' | 'is answered';

/** An operation of a store, or an answer of the summarizer, that waits for its turn. */
interface Step {
  readonly actor: Actor;
  readonly kind: StepKind;
  readonly take: (fate: Fate) => Promise<void>;
}

/** Something that can happen next, and what it costs of what a schedule may have. */
interface Option {
  readonly step: Step;
  readonly fate: Fate;
  readonly preemptions: number;
}

/** What a schedule may have at most. */
export interface Budget {
  /** Times that somebody is interrupted who could go on. */
  readonly preemptions: number;
  /** The same where one step fails; `undefined` where none does. */
  readonly besideFault?: number | undefined;
}

/** A place of a schedule at which there was more than one way to go on. */
interface Choice {
  readonly taken: number;
  /** Those that another schedule may take. */
  readonly others: readonly number[];
}

/** One schedule, and what it was. */
export interface Schedule {
  readonly choices: readonly Choice[];
  /** Its steps, in their order. */
  readonly story: readonly string[];
  readonly fate: Fate;
  /** Whose step had another fate than to be done. */
  readonly struck: { readonly actor: Actor; readonly kind: StepKind } | undefined;
}

/** Milliseconds by which an answer is late. */
const lateMs = 2500;

/** Milliseconds that a schedule may take before it counts as hung, and that work beside its calls may go on. */
const longestMs = 120_000;
const besideMs = 20_000;

const fates: Readonly<Record<StepKind, readonly Fate[]>> = {
  reads: ['fails', 'ends its request', 'ends its process'],
  writes: ['fails', 'lost', 'late', 'ends its request', 'ends its process'],
  removes: ['fails', 'lost', 'ends its process'],
  'is answered': ['fails', 'ends its request', 'ends its process'],
};

/** Lets those who share a store go on one step at a time, in an order that is chosen. */
export class Steps {
  readonly #clock: VirtualClock;
  readonly #actors = new AsyncLocalStorage<Actor>();
  readonly #pending: Step[] = [];
  readonly #ended = new Set<Actor | number>();
  #isFree = true;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
    const { setTimeout: set } = globalThis;
    // What has ended has no timers either.
    const setOwn = (fire: () => void, ms?: number): unknown => {
      const actor = this.#actors.getStore();
      const bound = AsyncLocalStorage.bind(fire);
      return set(() => {
        if (!this.#isEnded(actor)) bound();
      }, ms);
    };
    Object.assign(globalThis, { setTimeout: setOwn });
  }

  #isEnded(actor: Actor | undefined): boolean {
    return actor !== undefined && (this.#ended.has(actor) || this.#ended.has(actor.process));
  }

  /** Whether a process has ended. */
  hasEnded(process: number): boolean {
    return this.#ended.has(process);
  }

  /** Waits for the turn of an operation, does it, and gives its answer as it is to be. */
  async take<Result>(kind: StepKind, work: () => Promise<Result> | Result): Promise<Result> {
    const actor = this.#actors.getStore();
    if (this.#isEnded(actor)) return new Promise(() => {});
    if (this.#isFree || actor === undefined) return work();
    return new Promise((resolve, reject) => {
      const take = async (fate: Fate): Promise<void> => {
        if (fate === 'fails') return reject(new Error('planned'));
        try {
          const result = await work();
          if (fate === 'lost') reject(new Error('planned'));
          else if (fate === 'late') setTimeout(() => resolve(result), lateMs);
          else if (fate === 'done') resolve(result);
          else this.#ended.add(fate === 'ends its request' ? actor : actor.process);
        } catch (error) {
          reject(error);
        }
      };
      this.#pending.push({ actor, kind, take });
    });
  }

  /** Does something to its end, each step at once; rejects where it hangs. */
  async alone<Result>(actor: Actor, work: () => Promise<Result>): Promise<Result> {
    this.#isFree = true;
    const result = this.#actors.run(actor, work);
    const progress = { isSettled: false };
    result.catch(() => {}).finally(() => (progress.isSettled = true));
    await quiet();
    const endsAt = this.#clock.now() + longestMs;
    while (!progress.isSettled) {
      if (this.#clock.now() >= endsAt) throw new Error(`${actor.name} hangs.`);
      await this.#clock.next(endsAt - this.#clock.now());
    }
    return result;
  }

  /**
   * Lets actors do their work beside each other, to the end.
   *
   * @param prefix - Which way to go at its first choices; from then on, whoever goes on goes on.
   */
  async together(
    works: ReadonlyMap<Actor, () => Promise<unknown>>,
    budget: Budget,
    prefix: readonly number[],
  ): Promise<Schedule> {
    this.#isFree = false;
    const running = new Set(works.keys());
    for (const [actor, work] of works) {
      const follow = async (): Promise<void> => {
        await this.#actors.run(actor, work);
        running.delete(actor);
      };
      void follow();
    }
    const choices: Choice[] = [];
    const story: string[] = [];
    let [fate, preemptions]: [Fate, number] = ['done', 0];
    let struck: Schedule['struck'];
    let last: Actor | undefined;
    const endsAt = this.#clock.now() + longestMs;
    let besideEndsAt = Infinity;
    for (;;) {
      await quiet();
      for (const actor of running) if (this.#isEnded(actor)) running.delete(actor);
      if (running.size === 0) besideEndsAt = Math.min(besideEndsAt, this.#clock.now() + besideMs);
      const options = this.#options(last, fate === 'done' && budget.besideFault !== undefined);
      if (options.length === 0) {
        const until = Math.min(endsAt, besideEndsAt);
        if (this.#clock.timers() === 0 && running.size > 0) throw new Error('Nothing goes on.');
        if (this.#clock.now() >= endsAt) throw new Error('A call does not end.');
        if (this.#clock.now() >= until || this.#clock.timers() === 0) break;
        await this.#clock.next(until - this.#clock.now());
        continue;
      }
      const isAllowed = (option: Option): boolean => {
        const isFault = fate !== 'done' || option.fate !== 'done';
        const most = isFault ? (budget.besideFault ?? 0) : budget.preemptions;
        return preemptions + option.preemptions <= most;
      };
      const allowed = options.flatMap((option, index) => (isAllowed(option) ? index : []));
      const taken = prefix[choices.length] ?? allowed[0] ?? 0;
      choices.push({ taken, others: allowed.filter((index) => index > taken) });
      const option = options[taken];
      if (option === undefined) throw new Error('A schedule does not repeat.');
      const { step } = option;
      preemptions += option.preemptions;
      if (option.fate !== 'done') {
        ({ fate } = option);
        struck = step;
      }
      last = step.actor;
      this.#pending.splice(this.#pending.indexOf(step), 1);
      story.push(
        `${step.actor.name} ${step.kind}${option.fate === 'done' ? '' : ` (${option.fate})`}`,
      );
      await step.take(option.fate);
      await this.#clock.advance(1);
    }
    return { choices, story, fate, struck };
  }

  /** What can happen next: whoever went on goes on without an interruption. */
  #options(last: Actor | undefined, mayFail: boolean): readonly Option[] {
    const living = this.#pending.filter(({ actor }) => !this.#isEnded(actor));
    const own = living.filter(({ actor }) => actor === last);
    const firstOfOthers = living.filter(
      (step, index) =>
        step.actor !== last && living.findIndex(({ actor }) => actor === step.actor) === index,
    );
    // Not in the order in which they came: a module that is loaded meanwhile takes as long as it takes.
    firstOfOthers.sort((one, other) => one.actor.name.localeCompare(other.actor.name));
    const ordered = [...own, ...firstOfOthers];
    const done = ordered.map((step): Option => ({
      step,
      fate: 'done',
      preemptions: step === ordered[0] || own.length === 0 ? 0 : 1,
    }));
    const first = done[0];
    if (first === undefined || !mayFail) return done;
    return [...done, ...fates[first.step.kind].map((fate): Option => ({ ...first, fate }))];
  }
}
