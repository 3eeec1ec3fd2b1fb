import { count, counted } from '../../report/figures.ts';
import type { Interval } from '../intervals.ts';
import type { Evaluation, MethodFigures } from './evaluation.ts';

/** `74 % (67 to 80)`. */
export function share(interval: Interval | undefined): string {
  if (interval === undefined) return '-';
  return `${percent(interval.mean)} % (${percent(interval.low)} to ${percent(interval.high)})`;
}

/** `+3 (-2 to +8)`, in percentage points. */
export function difference(interval: Interval | undefined): string {
  if (interval === undefined) return '-';
  const [mean, low, high] = [interval.mean, interval.low, interval.high].map((value) => {
    const points = percent(value);
    return points > 0 ? `+${points}` : String(points);
  });
  return `${mean} (${low} to ${high})`;
}

function percent(value: number): number {
  // Without the sign of a zero.
  return Math.round(value * 100) + 0;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** What is to be known beside the figures of a method. */
export function remarks(figures: MethodFigures): readonly string[] {
  const { tooLong, unjudged, undone, preparing } = figures;
  const { summaries, degraded } = preparing;
  const all: readonly (readonly [times: number, remark: string])[] = [
    [tooLong, `${counted(tooLong, 'prompt')} refused as too long, counted as not right`],
    [unjudged, `${counted(unjudged, 'answer')} not judged, not counted`],
    [
      degraded,
      `${count(degraded)} of ${counted(summaries, 'summary')} written by rules, as the model failed`,
    ],
    [undone, `${counted(undone, 'question')} left undone`],
  ];
  return all.flatMap(([times, remark]) => (times > 0 ? [remark] : []));
}

/** What holds for all methods, in sentences. */
export function sentences(evaluation: Evaluation): readonly string[] {
  const { questions, conversations, runs, model, judge, contextLength, paid } = evaluation;
  const undone = Object.entries(evaluation.undone);
  return [
    `${counted(questions, 'question')} about ${counted(conversations, 'conversation')}, ${counted(runs, 'run')}, answered by ${model} with a context of ${count(contextLength)} tokens, judged by ${judge}.`,
    ...(paid === undefined
      ? []
      : [
          `Paid in all, as the journal has it: $${paid.all.toFixed(2)}, of that $${paid.judge.toFixed(2)} to the judge.`,
        ]),
    ...Object.entries(evaluation.tooLong).map(
      ([reason, times]) => `Refused ${counted(times, 'time')}: ${reason}`,
    ),
    ...undone.map(([reason, times]) => `Left undone ${counted(times, 'time')}: ${reason}`),
    ...(undone.length > 0
      ? ['The same command goes on where it stopped; with --max-cost, name more than was paid.']
      : []),
  ];
}
