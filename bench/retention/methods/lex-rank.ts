import { textOf } from '../segments.ts';
import type { Method } from './method.ts';

const damping = 0.85;
const iterations = 20;
const threshold = 0.1;
/** The similarity of all pairs is quadratic; of longer texts every n-th sentence takes part. */
const maxSentences = 1500;

/** LexRank: sentences by their centrality in the graph of their similarities, as many as fit. */
export const lexRank: Method = {
  name: 'LexRank',
  compact: ({ evicted }, budget, count) => {
    const all = textOf(evicted)
      .split(/(?<=[.!?])\s+|\n+/)
      .map((sentence) => sentence.trim().slice(0, 400))
      .filter((sentence) => sentence.length > 3);
    const step = Math.ceil(all.length / maxSentences);
    const sentences = all.filter((_, index) => index % step === 0);
    const scores = centrality(vectorsOf(sentences));
    const ranked = sentences.map((_, index) => index);
    ranked.sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0));
    const chosen = new Set<number>();
    let left = budget;
    for (const index of ranked) {
      const tokens = count(sentences[index] ?? '') + 1;
      if (tokens > left) continue;
      left -= tokens;
      chosen.add(index);
    }
    return sentences.filter((_, index) => chosen.has(index)).join('\n');
  },
};

type Vector = ReadonlyMap<string, number>;

/** TF-IDF vectors of length one. */
function vectorsOf(sentences: readonly string[]): readonly Vector[] {
  const words = sentences.map((sentence) => sentence.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []);
  const frequency = new Map<string, number>();
  for (const list of words)
    for (const word of new Set(list)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  return words.map((list) => {
    const vector = new Map<string, number>();
    for (const word of list) {
      const idf = Math.log(sentences.length / (frequency.get(word) ?? 1));
      vector.set(word, (vector.get(word) ?? 0) + idf);
    }
    const length = Math.hypot(...vector.values()) || 1;
    return new Map([...vector].map(([word, weight]) => [word, weight / length]));
  });
}

function centrality(vectors: readonly Vector[]): Float64Array {
  const neighbours = vectors.map((vector) =>
    vectors.flatMap((other, index) => (similarity(vector, other) > threshold ? [index] : [])),
  );
  let scores = new Float64Array(vectors.length).fill(1 / vectors.length);
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const next = new Float64Array(vectors.length).fill((1 - damping) / vectors.length);
    for (const [index, list] of neighbours.entries())
      for (const neighbour of list)
        next[neighbour] = (next[neighbour] ?? 0) + (damping * (scores[index] ?? 0)) / list.length;
    scores = next;
  }
  return scores;
}

function similarity(left: Vector, right: Vector): number {
  const [small, large] = left.size < right.size ? [left, right] : [right, left];
  let sum = 0;
  for (const [word, weight] of small) sum += weight * (large.get(word) ?? 0);
  return sum;
}
