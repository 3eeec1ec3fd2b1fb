import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  ContextMeter,
  SummaryDivider,
  SummaryRecordView,
  useSummarization,
} from '../../src/react/index.tsx';
import { readSummarization, type SummarizationUIMessage } from '../../src/ui/index.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { answerLive, pageTalk } from '../ui/live-chat.ts';

const content = answer({
  summary: 'They spoke of <rivers>.',
  context: {
    decisions: ['We decided to take the ferry.'],
    actionItems: [{ owner: 'Noor', task: 'buy tickets', due: 'Friday' }],
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
    'Noor has to buy tickets until Friday.',
    'Which ferry goes on Sunday?',
  ];
  said.forEach((text, index) => {
    messages[2 * index] = { id: `said-${index}`, role: 'user', parts: [{ type: 'text', text }] };
  });
  page = await answerLive(messages, {
    contextLength: 3_000,
    minMessages: 2,
    preserveRecent: 2,
    summarizerModelPreference: summarizerModel(content),
  });
});

function finishedSummary() {
  const { summaries, numbers } = readSummarization(page);
  const part = summaries[0]?.part;
  if (part?.state !== 'done') throw new Error('There is no summary.');
  return { part, numbers };
}

describe('on a server', () => {
  it('a page of its own renders its meter and its dividers', () => {
    const Chat = () => {
      const { usage, summaries, numbers, coveredIds } = useSummarization(page);
      return [
        createElement(ContextMeter, {
          key: 'meter',
          usedTokens: usage?.tokens ?? 0,
          maxTokens: usage?.contextLength ?? 0,
        }),
        ...summaries.map(({ part }, key) => createElement(SummaryDivider, { key, part, numbers })),
        createElement('output', { key: 'out' }, coveredIds.size),
      ];
    };
    const html = renderToStaticMarkup(createElement(Chat));
    expect(html).toContain('role="meter"');
    expect(html).toMatch(/\d+ messages are now remembered in short/);
  });

  it('a record leads from a rule to the message that states it', () => {
    const { part, numbers } = finishedSummary();
    const html = renderToStaticMarkup(
      createElement(SummaryRecordView, { record: part.record, numbers }),
    );
    expect(html).toContain(
      '<li data-slot="summary-record-item">You must never sail at night. <a data-slot="summary-record-origin" href="#said-0" aria-label="you: show the message">you</a></li>',
    );
    expect(html).toContain('Noor: buy tickets (Friday)');
    expect(html).toContain('They spoke of &lt;rivers&gt;.');
    const sections = [...html.matchAll(/data-section="(\w+)"/g)].map(([, name]) => name);
    expect(sections.slice(0, 2)).toEqual(['constraints', 'userWords']);
    const { record } = part;
    const without = renderToStaticMarkup(createElement(SummaryRecordView, { record }));
    expect(without).not.toContain('<a ');
  });

  it.each([
    [{ state: 'running', messages: 1 }, 'running', 'Remembering 1 message in short …'],
    [
      { state: 'running', messages: 12, progress: { completed: 1, total: 3 } },
      'running',
      'Remembering 12 messages in short, part 1 of 3 …',
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
        part: { ...part, record: { ...part.record, degraded: true } },
        actions: createElement('button', { type: 'button' }, 'Undo'),
        labels: { degraded: 'Nur nach Regeln.' },
        className: 'divider',
      }),
    );
    expect(html).toMatch(/^<details data-slot="summary-divider" data-state="done" class="divider"/);
    expect(html).toContain('Nur nach Regeln.');
    expect(html).toContain('<button type="button">Undo</button>');
  });

  it('a meter of one that is too full ends where its bar ends', () => {
    const html = renderToStaticMarkup(
      createElement(ContextMeter, {
        usedTokens: 2_000,
        maxTokens: 1_000,
      }),
    );
    expect(html).toContain('data-high="true"');
    expect(html).toContain('aria-valuenow="1000"');
    expect(html).toContain('style="inline-size:100%"');
  });
});
