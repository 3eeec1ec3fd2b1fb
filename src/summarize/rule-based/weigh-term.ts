import type { TermKind } from './scan-terms.ts';
import type { Term } from './term-index.ts';

/** Numbers and words occur everywhere; what has a spelling of its own is what gets referred to. */
const kindWeights: Readonly<Record<TermKind, number>> = {
  path: 1,
  email: 0.5,
  url: 0.7,
  date: 1,
  file: 1,
  id: 1,
  code: 0.8,
  amount: 0.35,
  number: 0.25,
  figure: 0.09,
  name: 0.09,
  word: 0.03,
};

/** What a mention counts: the agent's calls and what people say outweigh what tools print. */
const callWeight = 5;
const spokenWeight = 2;
const resultWeight = 0.5;

/** A listing that repeats a thing a hundred times makes it no more important than three mentions do. */
const mostForResults = 2;

/** Share of the weight that the oldest mentions lack. */
const recencyShare = 0.3;

/** How likely a term is to be needed again, without a unit. */
export function weighTerm({ kind, mentions, last }: Term): number {
  const { call, user, assistant, memory, result } = mentions;
  const said = callWeight * call + spokenWeight * (user + assistant + memory);
  const mentioned = Math.log2(1 + said + Math.min(resultWeight * result, mostForResults));
  return kindWeights[kind] * mentioned * (1 - recencyShare + recencyShare * last);
}
