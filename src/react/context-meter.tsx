import type { ReactElement, ReactNode } from 'react';
import type { ContextUsage } from '../ui/read-summarization.ts';
import { englishLabels, type SummarizationLabels } from './labels.ts';

/** Properties of {@link ContextMeter}. */
export interface ContextMeterProps {
  /** Tokens of the latest call. */
  readonly usedTokens: number;
  /** Tokens that the model accepts. */
  readonly maxTokens: number;
  /** What the tokens were spent on: a segment of the bar for each. */
  readonly parts?: ContextUsage['parts'];
  /**
   * The middleware's `triggerTokenRatio`.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /**
   * The middleware's `resetTokenRatio`.
   * @default 0.7
   */
  readonly resetTokenRatio?: number | undefined;
  readonly className?: string | undefined;
  /** In place of the text above the bar. */
  readonly children?: ReactNode;
  readonly labels?: Partial<SummarizationLabels> | undefined;
  /** @default with English separators, the same on servers and in browsers */
  readonly formatCount?: ((count: number) => string) | undefined;
}

const segments = ['system', 'tools', 'summary', 'messages'] as const;

/**
 * How full the context was with the latest call, and where summaries begin and aim at. Unstyled: its elements bear
 * `data-slot` (`context-meter`, `-label`, `-track`, `-segment`, `-mark`), segments `data-part`, marks `data-mark`, and
 * the whole `data-high` from the trigger on. Widths and places are percentages, as inline styles.
 */
export function ContextMeter(props: ContextMeterProps): ReactElement {
  const { usedTokens, maxTokens, className, children } = props;
  const { triggerTokenRatio = 0.8, resetTokenRatio = 0.7, formatCount = withSeparators } = props;
  const labels = { ...englishLabels, ...props.labels };
  const used = labels.contextUsed(formatCount(usedTokens), formatCount(maxTokens));
  const [trigger, reset] = [triggerTokenRatio, resetTokenRatio].map((ratio) =>
    formatCount(maxTokens * ratio),
  );
  const isHigh = usedTokens >= maxTokens * triggerTokenRatio;
  return (
    <div data-slot="context-meter" data-high={isHigh || undefined} className={className}>
      <div data-slot="context-meter-label">{children ?? used}</div>
      <div
        role="meter"
        aria-label={labels.context}
        aria-valuemin={0}
        aria-valuemax={maxTokens}
        aria-valuenow={Math.min(usedTokens, maxTokens)}
        aria-valuetext={`${used}. ${labels.thresholds(trigger ?? '', reset ?? '')}`}
        data-slot="context-meter-track"
        style={{ display: 'flex', position: 'relative' }}
      >
        {segmentsOf(props).map(({ part, tokens }) => (
          <div
            key={part}
            data-slot="context-meter-segment"
            data-part={part}
            style={{ inlineSize: percentage(tokens / maxTokens) }}
          />
        ))}
        <Mark name="trigger" ratio={triggerTokenRatio} />
        <Mark name="reset" ratio={resetTokenRatio} />
      </div>
    </div>
  );
}

function Mark({ name, ratio }: { readonly name: string; readonly ratio: number }): ReactElement {
  const style = { position: 'absolute', insetInlineStart: percentage(ratio) } as const;
  return <i data-slot="context-meter-mark" data-mark={name} style={style} />;
}

/** The segments of the bar, which never reach beyond its end. */
function segmentsOf({ usedTokens, maxTokens, parts }: ContextMeterProps) {
  if (parts === undefined) return [{ part: 'all', tokens: Math.min(usedTokens, maxTokens) }];
  const scale = Math.min(1, maxTokens / Math.max(1, usedTokens));
  return segments.map((part) => ({ part, tokens: parts[part] * scale }));
}

function percentage(ratio: number): string {
  return `${Number((Math.min(1, Math.max(0, ratio)) * 100).toFixed(2))}%`;
}

function withSeparators(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
