import { openingMessages } from '../../selection/legal-cuts.ts';

/** Points at which a look-up asks what follows, nearest first: as many near the end, then ever farther apart. */
const nearPoints = 6;
const farPoints = 4;

/**
 * The numbers of first messages under whose digest a record of `count` messages is listed: the nearest point,
 * four of which lie between a power of two and the next one, and the power of two. Conversations that open
 * alike part before the nearest one, so that they share no list; the other is found from far behind.
 */
export function writtenPoints(count: number): readonly number[] {
  return [...new Set([pointBefore(count), octaveOf(count)])];
}

/**
 * The points at which records of at most `most` messages may be listed: the nearest six, which reach back to
 * about a third, then four powers of two. Ten keys whatever the length.
 */
export function readPoints(most: number): readonly number[] {
  const points: number[] = [];
  let next = most;
  while (next >= openingMessages && points.length < nearPoints) {
    const point = pointBefore(next);
    points.push(point);
    next = point - 1;
  }
  while (next >= openingMessages && points.length < nearPoints + farPoints) {
    const point = octaveOf(next);
    points.push(point);
    next = point - 1;
  }
  return points;
}

/** The powers of two among the points of records of at most `most` messages. */
export function octavePoints(most: number): readonly number[] {
  const points: number[] = [];
  for (let point = openingMessages; point <= most; point *= 2) points.push(point);
  return points;
}

/** All points at which records of at most `most` messages may be listed. */
export function allPoints(most: number): readonly number[] {
  const points = new Set<number>();
  for (let next = most; next >= openingMessages; next = pointBefore(next) - 1)
    for (const point of writtenPoints(next)) points.add(point);
  return [...points];
}

function octaveOf(count: number): number {
  return 2 ** Math.floor(Math.log2(count));
}

function pointBefore(count: number): number {
  const step = Math.max(1, octaveOf(count) / 4);
  return Math.floor(count / step) * step;
}
