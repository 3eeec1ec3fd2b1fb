'use client';

import type { Summarization } from 'ai-sdk-summarization/ui';
import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { formatCount } from '../lib/format-count.ts';
import { fullTokensOf } from '../lib/full-tokens.ts';
import { summaryWaits } from '../lib/summary-waits.ts';

// A chart library is not needed before there is something to draw.
const ContextChart = dynamic(async () => (await import('./context-chart.tsx')).ContextChart, {
  ssr: false,
  loading: () => <div className="h-60" />,
});

interface ContextPanelProps {
  readonly summarization: Summarization;
  readonly settings: ChatSettings;
}

/** Sizes of the calls of a conversation. On narrow screens it opens from the header. */
export function ContextPanel({ summarization, settings }: ContextPanelProps): ReactNode {
  const { calls, summaries } = summarization;
  const sentTokens = calls.reduce((sum, { tokens }) => sum + tokens, 0);
  const fullTokens = calls.reduce((sum, call) => sum + fullTokensOf(call), 0);
  const summaryTokens = summaries.reduce((sum, { part }) => {
    const billed = part?.state === 'done' ? part.usage : undefined;
    return sum + (billed?.inputTokens ?? 0) + (billed?.outputTokens ?? 0);
  }, 0);
  const saved = fullTokens === 0 ? 0 : 1 - (sentTokens + summaryTokens) / fullTokens;
  const waits = summaryWaits(summarization);
  const figures = [
    ['With full history', `${formatCount(fullTokens)} tokens`],
    ['Sent', `${formatCount(sentTokens)} tokens`],
    ['For summaries', `${formatCount(summaryTokens)} tokens`],
    ['Saved so far', `${Math.round(saved * 100)} %`],
  ] as const;
  return (
    <aside
      id="context-panel"
      popover="auto"
      aria-label="Tokens per call"
      className="inset-auto m-0 hidden h-dvh w-88 max-w-[92vw] flex-col gap-4 overflow-y-auto border-0 border-s bg-sidebar p-4 text-foreground backdrop:bg-black/40 xl:static xl:flex [&:popover-open]:fixed [&:popover-open]:end-0 [&:popover-open]:top-0 [&:popover-open]:flex"
    >
      <h2 className="text-sm font-semibold">Tokens per call</h2>
      <ContextChart calls={calls} settings={settings} />
      <dl className="grid grid-cols-2 gap-3 text-sm">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted-foreground">{name}</dt>
            <dd className="font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {waits.length > 0 && (
        <div className="text-sm">
          <h3 className="text-xs text-muted-foreground">Wait for each summary</h3>
          <ol
            aria-label="Wait for each summary"
            className="mt-1 flex flex-wrap gap-1.5 tabular-nums"
          >
            {waits.map(({ recordId, waitMs }) => (
              <li key={recordId} className="rounded-full border bg-card px-2 py-0.5 text-xs">
                {waitMs === 0 ? 'none' : `${(waitMs / 1000).toFixed(1)} s`}
              </li>
            ))}
          </ol>
        </div>
      )}
      <details className="text-sm">
        <summary className="text-muted-foreground">Figures as a table</summary>
        <table
          data-figures
          className="mt-2 w-full text-end text-xs tabular-nums [&_td]:py-0.5 [&_th]:font-normal"
        >
          <thead className="text-muted-foreground">
            <tr>
              <th scope="col" className="text-start">
                Call
              </th>
              <th scope="col">Sent</th>
              <th scope="col">Full history</th>
              <th scope="col">In short</th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call, index) => (
              <tr key={index}>
                <th scope="row" className="text-start">
                  {index + 1}
                </th>
                <td>{formatCount(call.tokens)}</td>
                <td>{formatCount(fullTokensOf(call))}</td>
                <td>{call.coveredMessages === 0 ? '' : call.coveredMessages}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </aside>
  );
}
