import { writeMinutes } from '../../../src/strategies/rule-based/minutes.ts';
import { minutesTexts } from '../../../src/strategies/rule-based/minutes-texts.ts';
import { selectExcerpts } from '../../../src/strategies/rule-based/terms/select-excerpts.ts';
import { sourceTexts } from '../../../src/strategies/rule-based/texts/source-texts.ts';
import { indexTerms } from '../../../src/strategies/rule-based/terms/term-index.ts';
import { timeSlices } from '../../../src/util/async/time-slices.ts';
import { expectationOf } from '../measures.ts';
import type { Method } from './method.ts';

/** Our excerpts, chosen with knowledge of what will be needed: how far weights alone could get. */
export const oracle: Method = {
  name: 'oracle (knows the future)',
  compact: async (cut, budget, count) => {
    const needed = new Set(expectationOf(cut).needed.map(({ identifier }) => identifier));
    const slices = timeSlices();
    const { texts } = await minutesTexts(
      await sourceTexts(cut.evicted, slices),
      { texts: [], lines: 0 },
      [],
      {
        hasBullets: true,
        extractors: {},
        slices,
      },
    );
    const excerpts = await selectExcerpts(texts, await indexTerms(texts, slices), {
      weigh: ({ text, kind }) => (needed.has(text) ? 1 : kind === 'word' ? 0.001 : 0),
      maxTokens: budget * 2,
      said: new Set(),
      isQuotable: () => true,
      slices,
    });
    const render = (taken: number): string => writeMinutes(texts, excerpts.slice(0, taken));
    let low = 0;
    let high = excerpts.length;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (count(render(middle)) <= budget) low = middle;
      else high = middle - 1;
    }
    return render(low);
  },
};
