import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ContextMeter,
  SummaryDivider,
  SummaryRecordView,
  summaryLabel,
  useSummarization,
} from '../../src/react/index.tsx';
import { readSummarization, type SummarizationUIMessage } from '../../src/ui/index.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { answerLive, pageTalk } from '../ui/live-chat.ts';

const content = answer({
  summary: 'They spoke of <rivers>.',
  context: {
    decisions: ['We decided to take the ferry.'],
    actionItems: [{ owner: 'Noor', task: 'buy tickets', due: 'Friday' }, { task: 'book rooms' }],
    unresolved: ['Which ferry goes on Sunday?'],
    domainEntities: ['ferry.ts'],
    constraints: [{ text: 'You must never sail at night.', message: 0 }],
  },
});

let page: SummarizationUIMessage[] = [];
beforeAll(async () => {
  const messages = pageTalk(31);
  const said = [
    'You must never sail at night.',
    'We decided to take the ferry.',
    'Noor has to buy tickets until Friday. Somebody has to book rooms.',
    'Which ferry goes on Sunday?',
  ];
  said.forEach((text, index) => {
    messages[2 * index] = { id: `said ${index}`, role: 'user', parts: [{ type: 'text', text }] };
  });
  page = await answerLive(messages, {
    contextLength: 3_000,
    minMessages: 2,
    preserveRecent: 2,
    summarizerModelPreference: summarizerModel(content),
  });
});

const writing = { state: 'running', messages: 2, tokens: 799, contextLength: 1000 } as const;

function finishedSummary() {
  const { summaries, numbers } = readSummarization(page);
  const part = summaries[0]?.part;
  if (part?.state !== 'done') throw new Error('There is no summary.');
  return { part, numbers };
}

describe('on a server', () => {
  it('a page of its own reads what its messages say', () => {
    const Chat = () => createElement('output', {}, useSummarization(page).coveredIds.size);
    const { size } = readSummarization(page).coveredIds;
    expect(renderToStaticMarkup(createElement(Chat))).toBe(`<output>${size}</output>`);
    const { part } = finishedSummary();
    expect(summaryLabel(part)).toBe(`${size} messages are now remembered in short`);
  });

  it('a record leads from a rule to the message that states it', () => {
    const { part, numbers } = finishedSummary();
    const html = renderToStaticMarkup(
      createElement(SummaryRecordView, { record: part.record, numbers }),
    );
    expect(html).toContain(
      '<li data-slot="summary-record-item">You must never sail at night. <a data-slot="summary-record-origin" href="#said%200" aria-label="you: show the message">you</a></li>',
    );
    expect(html).toContain('Noor: buy tickets (Friday)');
    expect(html).toContain('>book rooms <');
    expect(html).toContain('They spoke of &lt;rivers&gt;.');
    const sections = [...html.matchAll(/data-section="(\w+)"/g)].map(([, name]) => name);
    expect(sections).toEqual([
      'constraints',
      'userWords',
      'decisions',
      'tasks',
      'unresolved',
      'names',
    ]);
    const record = { ...part.record, summary: ' ', keyPoints: ['The answer.'] };
    const without = renderToStaticMarkup(createElement(SummaryRecordView, { record }));
    expect(without).not.toContain('<a ');
    expect(without).not.toContain('narrative');
    expect(without).toContain(
      'data-section="keyPoints"><p data-slot="summary-record-title">Key points<',
    );
  });

  it.each([
    [{ state: 'running', messages: 1 }, 'running', 'Remembering 1 message in short …'],
    [
      { state: 'running', messages: 12, progress: { completed: 1, total: 3 } },
      'running',
      'Remembering 12 messages in short, part 1 of 3 …',
    ],
    [{ ...writing, reason: 'ahead' }, 'running', ' in short, to have it when it is needed …'],
    [{ ...writing, reason: 'forced' }, 'running', ' in short, as asked …'],
    [{ ...writing, reason: 'requested' }, 'running', ' in short, as the assistant asked …'],
    [
      { ...writing, reason: 'token-ratio' },
      'running',
      ' in short, as 80 % of the context is taken …',
    ],
    [{ state: 'running', messages: 2, tokens: 799 }, 'running', ' in short …'],
    [{ state: 'running', messages: 2, contextLength: 1000 }, 'running', ' in short …'],
    [
      { ...writing, reason: 'context-overflow' },
      'running',
      ', as the conversation is too long to be sent whole …',
    ],
    [{ state: 'interrupted' }, 'interrupted', 'This summary was interrupted'],
    [{ state: 'failed', reason: 'timeout' }, 'failed', 'could not be put in short'],
    [{ state: 'failed', reason: 'not-smaller' }, 'failed', 'would be no shorter'],
    [undefined, 'done', 'Earlier messages are now remembered in short'],
  ] as const)('a divider says how a summary of %j goes', (part, state, label) => {
    const html = renderToStaticMarkup(createElement(SummaryDivider, { part }));
    expect(html).toContain(`data-state="${state}"`);
    expect(html).toContain(label);
    expect(html).not.toContain('<details');
  });

  it('a divider says when rules had to write the summary, and has room for actions', () => {
    const { part } = finishedSummary();
    const html = renderToStaticMarkup(
      createElement(SummaryDivider, {
        part: { ...part, coveredMessages: 1, record: { ...part.record, degraded: true } },
        actions: createElement('button', { type: 'button' }, 'Undo'),
        labels: { degraded: 'Nur nach Regeln.' },
        className: 'divider',
      }),
    );
    expect(html).toMatch(/^<details data-slot="summary-divider" data-state="done" class="divider"/);
    expect(html).toContain('>1 message is now remembered in short</span>');
    expect(html).toContain('data-degraded="true"');
    expect(html).toContain('Nur nach Regeln.');
    expect(html).toContain('<button type="button">Undo</button>');
  });

  it.each([
    [2000, 1000, 'data-high="true" ', '2,000 of 1,000', 1000, 1000, 100],
    [800, 1000, 'data-high="true" ', '800 of 1,000', 1000, 800, 80],
    [799.4, 1000, '', '799 of 1,000', 1000, 799.4, 79.94],
    [0, 0, 'data-high="true" ', '0 of 0', 0, 0, 0],
  ])('a meter of %d of %d tokens', (usedTokens, maxTokens, high, text, most, now, width) => {
    const meter = createElement(ContextMeter, { usedTokens, maxTokens, className: 'own' });
    expect(renderToStaticMarkup(meter)).toBe(
      `<div data-slot="context-meter" ${high}class="own"><div data-slot="context-meter-label">${text} tokens</div>` +
        `<div role="meter" aria-label="Context" aria-valuemin="0" aria-valuemax="${most}" aria-valuenow="${now}" aria-valuetext="${text} tokens" data-slot="context-meter-track">` +
        `<div data-slot="context-meter-bar" style="inline-size:${width}%"></div></div></div>`,
    );
  });
});
