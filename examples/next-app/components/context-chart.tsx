'use client';

import type { ContextReading } from 'ai-sdk-summarization/ui';
import { useId, type ReactNode } from 'react';
import {
  Area,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { formatCount } from '../lib/format-count.ts';
import { fullTokensOf } from '../lib/full-tokens.ts';

interface ContextChartProps {
  readonly calls: readonly ContextReading[];
  readonly settings: Pick<ChatSettings, 'contextLength' | 'triggerTokenRatio'>;
}

const axis = { fontSize: 11, stroke: 'var(--muted-foreground)', tickLine: false };

/** Tokens of each call: what was sent against what the full history would have been. */
export function ContextChart({ calls, settings }: ContextChartProps): ReactNode {
  const id = useId();
  const { contextLength, triggerTokenRatio } = settings;
  const points = calls.map((call, index) => ({
    call: index + 1,
    sent: call.tokens,
    full: fullTokensOf(call),
  }));
  const top = Math.max(contextLength * 1.1, ...points.map(({ full }) => full));
  const summaries = calls.flatMap(({ recordId, tokens }, index) =>
    recordId !== undefined && recordId !== calls[index - 1]?.recordId
      ? { call: index + 1, tokens }
      : [],
  );
  const latest = points.at(-1);
  return (
    <figure>
      <div role="img" aria-label="Tokens per call" aria-describedby={id} className="h-52">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart
            data={points}
            margin={{ top: 8, right: 6, bottom: 0, left: -8 }}
            accessibilityLayer={false}
          >
            <XAxis {...axis} dataKey="call" axisLine={false} minTickGap={24} />
            <YAxis {...axis} axisLine={false} domain={[0, top]} tickFormatter={shortCount} />
            <ReferenceLine y={contextLength} stroke="var(--destructive)" />
            <ReferenceLine
              y={contextLength * triggerTokenRatio}
              stroke="var(--muted-foreground)"
              strokeDasharray="3 3"
            />
            <Area
              dataKey="sent"
              stroke="var(--primary)"
              strokeWidth={2}
              fill="var(--primary)"
              fillOpacity={0.15}
              isAnimationActive={false}
            />
            <Line
              dataKey="full"
              stroke="var(--full)"
              strokeDasharray="5 3"
              strokeWidth={2}
              dot={false}
              isAnimationActive={false}
            />
            {summaries.map(({ call, tokens }) => (
              <ReferenceDot
                key={call}
                x={call}
                y={tokens}
                r={4}
                fill="var(--summary)"
                stroke="var(--card)"
              />
            ))}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <p id={id} className="sr-only">
        {latest === undefined
          ? 'No calls yet.'
          : `${calls.length} calls, ${summaries.length} summaries. The latest call sent ${formatCount(latest.sent)} tokens; the full history has ${formatCount(latest.full)}. The limit is ${formatCount(contextLength)}.`}
      </p>
      <figcaption className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted-foreground">
        <Key color="bg-primary">sent</Key>
        <Key color="bg-full">full history</Key>
        <Key color="bg-destructive">limit</Key>
        <Key color="bg-summary">summary</Key>
      </figcaption>
    </figure>
  );
}

function Key({
  color,
  children,
}: {
  readonly color: string;
  readonly children: string;
}): ReactNode {
  return (
    <span className="flex items-center gap-1.5">
      <i aria-hidden className={`h-1.5 w-3 rounded-full ${color}`} />
      {children}
    </span>
  );
}

function shortCount(tokens: number): string {
  return tokens >= 1000 ? `${Number((tokens / 1000).toFixed(1))}k` : String(Math.round(tokens));
}
