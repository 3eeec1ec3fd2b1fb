import MiniSearch from 'minisearch';
import { stemmer } from 'stemmer';

/** A sentence, and where it stands, in words: `2 messages ago`. */
export interface Told {
  readonly text: string;
  readonly place: string;
}

/** Words that say what is asked for, or nothing at all: they find no sentence. */
const emptyWords = new Set(
  'a about an and any anything are as at be been by can could did do does for from had has have he her his how i if in is it its know let like me much many must my of on or our please say should so tell than that the their them then there they this to us was we were what when where which who whom whose why will with would you your'.split(
    ' ',
  ),
);

/** How a sentence looks that can answer a kind of question. */
const kinds: readonly (readonly [question: RegExp, answer: RegExp])[] = [
  [
    /^(?:by |since |until |from )?when\b|\bwhat (?:day|date|time|month|year)\b/i,
    /\d|\b[A-Z][a-z]+day\b/,
  ],
  [/\bhow (?:much|many|long|old|large|big|far|short)\b/i, /\d/],
  [
    /^where\b|\b(?:which|what) (?:city|country|town|place|office|street)\b/i,
    /\b(?:in|at|from|to|near) (?:the )?[A-Z]/,
  ],
  [/^(?:by |with |for |to )?who(?:m|se)?\b|\bname\b|\bcalled\b/i, /\S+ [^A-Za-z]*[A-Z][a-z]/],
  [/\bwhy\b/i, /\b(?:because|since|so that|for)\b/i],
  [/\b(?:decide|agree)/i, /\b(?:decided|agreed)\b/i],
  [/\b(?:never|must not|not allowed|forbidden|avoid)\b/i, /\b(?:never|not|no)\b|n't\b/i],
];

/** How much more a sentence counts that looks like an answer. */
const kindWeight = 1.8;

/** How close to the best a second sentence has to be, to be quoted beside it. */
const besideShare = 0.4;

/**
 * The sentences that are closest to a question, at most two, best first: BM25+ over stems and beginnings of words, what
 * looks like an answer first, the later one among equals, because it may correct an earlier one.
 */
export function recall(question: string, told: readonly Told[]): readonly Told[] {
  const index = new MiniSearch<{ readonly id: number; readonly text: string }>({
    fields: ['text'],
    processTerm: (term) => termOf(term),
    searchOptions: {
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
    },
  });
  index.addAll(told.map(({ text }, id) => ({ id, text })));
  const looks = kinds.flatMap(([asked, answer]) => (asked.test(question.trim()) ? [answer] : []));
  const found = index.search(question, {
    boostDocument: (id) => {
      const text = told[Number(id)]?.text ?? '';
      const later = 1 + (0.1 * Number(id)) / told.length;
      return later * kindWeight ** looks.filter((answer) => answer.test(text)).length;
    },
  });
  const [best] = found;
  return found
    .filter(({ score }) => score >= besideShare * (best?.score ?? 0))
    .flatMap(({ id }) => told[Number(id)] ?? [])
    .slice(0, 2);
}

function termOf(term: string): string | undefined {
  const word = term.toLowerCase();
  return emptyWords.has(word) ? undefined : stemmer(word);
}
