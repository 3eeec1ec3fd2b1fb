import { count, counted } from '../../report/figures.ts';
import { escaped, htmlPage } from '../../report/html-page.ts';
import type { Outcome } from '../findings.ts';
import type { Interval } from '../intervals.ts';
import { difference, remarks, seconds, sentences, share } from './eval-figures.ts';
import { isHeld, type Evaluation, type MethodFigures } from './evaluation.ts';

/** Writes an evaluation as one page: no scripts, nothing from elsewhere, every text of a file or model escaped. */
export function evalHtmlReport(evaluation: Evaluation): string {
  const { file, methods, outcomes } = evaluation;
  const [first] = methods;
  const [about = '', ...more] = sentences(evaluation).map(escaped);
  const body = `<h1>${escaped(file)}</h1>
<p class="quiet">${about}</p>
${more.map((sentence) => `<p>${sentence}</p>`).join('\n')}
<h2>Right answers</h2>
${methods.map((figures) => methodHtml(figures, first)).join('\n')}
<p class="quiet">The line in a bar is the interval of 95 % confidence.</p>
${typesHtml(methods)}
<h2>Questions</h2>
${[...Map.groupBy(outcomes, ({ question }) => question).values()].map(questionHtml).join('\n')}`;
  return htmlPage(`${file}: evaluation`, body);
}

function methodHtml(figures: MethodFigures, first: MethodFigures | undefined): string {
  const { method, accuracy, preparing, dollars } = figures;
  const summarising = preparing.inputTokens + preparing.outputTokens;
  const list: readonly (readonly [string, string])[] = [
    ...(figures === first || first === undefined
      ? []
      : [[`against ${first.method}`, difference(figures.difference)] as const]),
    ['answers', count(figures.answers)],
    ['input an answer', count(figures.inputTokens)],
    ['output an answer', count(figures.outputTokens)],
    ['summaries', count(preparing.summaries)],
    ['tokens making ready', count(summarising)],
    ...(dollars === undefined ? [] : [['cost', `$${dollars.toFixed(2)}`] as const]),
    ['latency, median', seconds(figures.medianMs)],
    ['latency, 95 %', seconds(figures.slowMs)],
  ];
  return `<section><h3>${method}: ${share(accuracy)}</h3>
${barHtml(accuracy, `${method}: ${share(accuracy)} right`)}
<dl>${list.map(([term, value]) => `<div><dt>${term}</dt><dd>${value}</dd></div>`).join('')}</dl>
${remarks(figures)
  .map((remark) => `<p>${remark}</p>`)
  .join('\n')}</section>`;
}

function barHtml(interval: Interval | undefined, label: string): string {
  if (interval === undefined) return '';
  const [mean, low, high] = [interval.mean, interval.low, interval.high].map((value) =>
    (value * 1000).toFixed(1),
  );
  return `<svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label="${label}">
<rect class="full" width="1000" height="20"/><rect class="sent" width="${mean}" height="20"/>
<path class="interval" d="M${low} 10H${high}M${low} 4v12M${high} 4v12"/></svg>`;
}

function typesHtml(methods: readonly MethodFigures[]): string {
  const types = [...new Set(methods.flatMap((figures) => Object.keys(figures.accuracyByType)))];
  if (types.length < 2) return '';
  const rows = types.toSorted().map((type) => {
    const cells = methods.map((figures) => `<td>${share(figures.accuracyByType[type])}</td>`);
    return `<tr><th scope="row">${escaped(type === '' ? 'no type' : type)}</th>${cells.join('')}</tr>`;
  });
  const head = methods.map(({ method }) => `<th scope="col">${method}</th>`).join('');
  return `<h2>By type of question</h2>
<div class="wide" tabindex="0" role="region" aria-label="By type of question"><table><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function questionHtml(outcomes: readonly Outcome[]): string {
  const [first] = outcomes;
  if (first === undefined) return '';
  const { question, reference } = first.question;
  const held = outcomes.filter(isHeld);
  const right = held.filter(({ verdict }) => verdict === 'yes').length;
  return `<details><summary>${escaped(question)} <span class="quiet">${count(right)} of ${counted(held.length, 'answer')} right</span></summary>
<p class="quiet">${escaped(reference)}</p>
<ul>${outcomes.map((outcome) => `<li>${outcomeHtml(outcome)}</li>`).join('\n')}</ul></details>`;
}

function outcomeHtml(outcome: Outcome): string {
  const { method, run, answer, undone } = outcome;
  const text = undone ?? answer?.tooLong ?? answer?.text ?? '';
  return `<strong>${method}</strong>, run ${run}, ${cameOf(outcome)}: ${escaped(text)}`;
}

function cameOf({ answer, verdict, undone }: Outcome): string {
  if (undone !== undefined) return 'left undone';
  if (answer?.tooLong !== undefined) return 'too long';
  if (verdict === undefined) return 'not judged';
  return verdict === 'yes' ? 'right' : 'not right';
}
