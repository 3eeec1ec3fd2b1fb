import { useId, type ReactNode } from 'react';
import type { CallReading } from '../lib/chat-message.ts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { formatCount } from '../lib/format-count.ts';

interface ContextChartProps {
  readonly calls: readonly CallReading[];
  readonly settings: ChatSettings;
}

const width = 320;
const height = 220;
const margin = { top: 14, right: 10, bottom: 24, left: 40 };

/** Tokens of each call: what was sent against what the full history would have been. */
export function ContextChart({ calls, settings }: ContextChartProps): ReactNode {
  const id = useId();
  const { contextLength, triggerTokenRatio } = settings;
  const top = Math.max(contextLength * 1.1, ...calls.map(({ fullTokens }) => fullTokens));
  const lastIndex = Math.max(calls.length - 1, 1);
  const x = (index: number): number =>
    margin.left + (index / lastIndex) * (width - margin.left - margin.right);
  const y = (tokens: number): number =>
    height - margin.bottom - (tokens / top) * (height - margin.top - margin.bottom);
  const line = (tokensOf: (call: CallReading) => number): string =>
    calls.map((call, index) => `${x(index).toFixed(1)},${y(tokensOf(call)).toFixed(1)}`).join(' ');

  const isNew = ({ recordId }: CallReading, index: number): boolean =>
    recordId !== undefined && recordId !== calls[index - 1]?.recordId;
  const summaries = calls.flatMap((call, index) => (isNew(call, index) ? [index] : []));
  const latest = calls.at(-1);
  const base = y(0);

  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby={`${id}t ${id}d`}>
        <title id={`${id}t`}>Tokens per call</title>
        <desc id={`${id}d`}>
          {latest === undefined
            ? 'No calls yet.'
            : `${calls.length} calls, ${summaries.length} summaries. The latest call sent ${formatCount(latest.tokens)} tokens; the full history has ${formatCount(latest.fullTokens)}. The limit is ${formatCount(contextLength)}.`}
        </desc>
        {ticks(top).map((tokens) => (
          <g key={tokens} className="chart-grid">
            <line x1={margin.left} x2={width - margin.right} y1={y(tokens)} y2={y(tokens)} />
            <text x={margin.left - 6} y={y(tokens) + 4} textAnchor="end">
              {shortCount(tokens)}
            </text>
          </g>
        ))}
        {summaries.map((index) => (
          <line
            key={index}
            className="chart-event"
            x1={x(index)}
            x2={x(index)}
            y1={margin.top}
            y2={base}
          />
        ))}
        {calls.length > 0 && (
          <>
            <polygon
              className="chart-area"
              points={`${x(0)},${base} ${line(({ tokens }) => tokens)} ${x(calls.length - 1)},${base}`}
            />
            <polyline className="chart-full" points={line(({ fullTokens }) => fullTokens)} />
            <polyline className="chart-sent" points={line(({ tokens }) => tokens)} />
          </>
        )}
        <line
          className="chart-limit"
          x1={margin.left}
          x2={width - margin.right}
          y1={y(contextLength)}
          y2={y(contextLength)}
        />
        <line
          className="chart-trigger"
          x1={margin.left}
          x2={width - margin.right}
          y1={y(contextLength * triggerTokenRatio)}
          y2={y(contextLength * triggerTokenRatio)}
        />
        <text className="chart-limit-label" x={margin.left + 4} y={y(contextLength) - 5}>
          limit {formatCount(contextLength)}
        </text>
        {summaries.map((index) => (
          <circle
            key={index}
            className="chart-dot"
            cx={x(index)}
            cy={y(calls[index]?.tokens ?? 0)}
            r={3.5}
          />
        ))}
        <text className="chart-axis" x={width - margin.right} y={height - 6} textAnchor="end">
          {calls.length > 0 ? `call ${calls.length}` : 'calls'}
        </text>
      </svg>
      <figcaption>
        <span className="key sent">sent</span>
        <span className="key full">full history</span>
        <span className="key limit">limit</span>
        <span className="key trigger">trigger</span>
        <span className="key dot">summary</span>
      </figcaption>
    </figure>
  );
}

/** About four round figures from 0 up. */
function ticks(top: number): readonly number[] {
  const rough = top / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => index * step);
}

function shortCount(tokens: number): string {
  return tokens >= 1000 ? `${Number((tokens / 1000).toFixed(1))}k` : String(tokens);
}
