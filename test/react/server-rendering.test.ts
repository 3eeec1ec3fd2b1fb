import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ContextMeter,
  SummaryDivider,
  SummaryRecordView,
  summaryLabel,
  useSummarization,
} from '../../src/entries/react/index.tsx';
import { readSummarization, type SummarizationUIMessage } from '../../src/entries/ui/index.ts';
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
    const { size } = readSummarization(page).coveredIds;
    const parts = [{ type: 'data-summary' as const, data: writing }];
    const live = [...page, { id: 'next', role: 'assistant' as const, parts }];
    const Chat = () => {
      const { coveredIds, running } = useSummarization(live, { isStreaming: true });
      return createElement('output', {}, coveredIds.size, ' ', running?.tokens);
    };
    expect(renderToStaticMarkup(createElement(Chat))).toBe(`<output>${size} 799</output>`);
    const { part } = finishedSummary();
    expect(summaryLabel(part)).toBe(`${size} messages are now summarized`);
  });

  it('a record leads from each item to its message, alone and in its divider', () => {
    const { part, numbers } = finishedSummary();
    const { context, origins } = part.record;
    const ofAssistant = { role: 'assistant', message: 4 } as const;
    const record = {
      ...part.record,
      keyPoints: ['The answer.'],
      context: { ...context, userQuotes: ['Boats <sail>.'] },
      origins: { ...origins, keyPoints: [{ role: 'model' } as const], userQuotes: [ofAssistant] },
    };
    const list = (name: string, title: string, ...items: readonly string[]): string =>
      `<div data-slot="summary-record-section" data-section="${name}"><p data-slot="summary-record-title">${title}</p>` +
      `<ul data-slot="summary-record-list" aria-label="${title}">${items.map((item) => `<li data-slot="summary-record-item">${item}</li>`).join('')}</ul></div>`;
    const link = (at: number, whose = 'you'): string =>
      ` <a data-slot="summary-record-origin" href="#said%20${at}" aria-label="${whose}: show the message">${whose}</a>`;
    const whole =
      list('constraints', 'Rules to keep', `You must never sail at night.${link(0)}`) +
      list('userQuotes', 'The user&#x27;s words', `Boats &lt;sail&gt;.${link(2, 'assistant')}`) +
      list('decisions', 'Decisions', `We decided to take the ferry.${link(1)}`) +
      list('tasks', 'To be done', `Noor: buy tickets (Friday)${link(2)}`, `book rooms${link(2)}`) +
      list('unresolved', 'Still open', `Which ferry goes on Sunday?${link(3)}`) +
      list('keyPoints', 'Key points', 'The answer. ') +
      list('names', 'Files and names', `ferry.ts (unconfirmed)${link(1)}`);
    const begin =
      '<section data-slot="summary-record" aria-label="Summary of the earlier messages"';
    const narrative = '<p data-slot="summary-record-narrative">They spoke of &lt;rivers&gt;.</p>';
    const view = createElement(SummaryRecordView, { record, numbers });
    expect(renderToStaticMarkup(view)).toBe(`${begin}>${whole}${narrative}</section>`);
    const short = { record: { ...record, summary: ' ' }, className: 'own' };
    const alone = `${begin} class="own">${whole.replaceAll(/(?<= )<a .*?<\/a>/g, '')}</section>`;
    expect(renderToStaticMarkup(createElement(SummaryRecordView, short))).toBe(alone);
    // A divider opens to it.
    const written = { ...short.record, degraded: true };
    const parts = { part: { ...part, coveredMessages: 1, record: written } };
    const more = { actions: createElement('b', {}, 'Undo'), labels: { degraded: 'Nur Regeln.' } };
    expect(
      renderToStaticMarkup(createElement(SummaryDivider, { ...parts, ...more, className: 'own' })),
    ).toBe(
      `<details data-slot="summary-divider" data-state="done" class="own" data-degraded="true"><summary data-slot="summary-divider-trigger">` +
        `<span data-slot="summary-divider-label">1 message is now summarized</span></summary><div data-slot="summary-divider-content">` +
        `<p data-slot="summary-divider-note">Nur Regeln.</p>${alone.replace(' class="own"', '')}<b>Undo</b></div></details>`,
    );
  });

  const two = 'Summarizing 2 messages';
  it.each<[Parameters<typeof summaryLabel>[0], string]>([
    [{ state: 'running', messages: 1 }, 'Summarizing 1 message …'],
    [
      { ...writing, progress: { completed: 1, total: 3 } },
      `${two}, as 80 % of the context is taken, part 1 of 3 …`,
    ],
    [{ ...writing, reason: 'ahead' }, `${two}, to have it when it is needed …`],
    [{ ...writing, reason: 'forced' }, `${two}, as asked …`],
    [{ ...writing, reason: 'requested' }, `${two}, as the assistant asked …`],
    [{ state: 'running', messages: 2, tokens: 799 }, `${two} …`],
    [{ state: 'running', messages: 2, contextLength: 1000 }, `${two} …`],
    [
      { ...writing, reason: 'context-overflow' },
      `${two}, as the conversation is too long to be sent whole …`,
    ],
    [{ state: 'interrupted' }, 'This summary was interrupted; the next message makes it'],
    [
      { state: 'failed', reason: 'timeout' },
      'The earlier messages could not be summarized; the conversation goes on without a summary',
    ],
    [
      { state: 'failed', reason: 'not-smaller' },
      'The earlier messages stay as they are: a summary would be no shorter',
    ],
    [undefined, 'Earlier messages are now summarized'],
  ])('a divider says how a summary of %j goes', (part, label) => {
    expect(renderToStaticMarkup(createElement(SummaryDivider, { part, icon: '*' }))).toBe(
      `<div data-slot="summary-divider" data-state="${part?.state ?? 'done'}">*<span data-slot="summary-divider-label">${label}</span></div>`,
    );
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
