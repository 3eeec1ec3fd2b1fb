import type { ReactNode } from 'react';
import type { CallReading } from '../lib/chat-message.ts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { formatCount } from '../lib/format-count.ts';

interface ContextMeterProps {
  /** The latest call; `undefined` before the first. */
  readonly latestCall: CallReading | undefined;
  readonly settings: ChatSettings;
}

/** How full the context was with the latest call, and where summaries begin and aim at. */
export function ContextMeter({ latestCall, settings }: ContextMeterProps): ReactNode {
  const { contextLength, triggerTokenRatio, resetTokenRatio } = settings;
  const tokens = latestCall?.tokens ?? 0;
  const share = Math.min(tokens / contextLength, 1);
  const trigger = formatCount(contextLength * triggerTokenRatio);
  const reset = formatCount(contextLength * resetTokenRatio);
  const label = `${formatCount(tokens)} of ${formatCount(contextLength)} tokens`;
  return (
    <div className="meter">
      <div className="meter-label">
        <span>{label}</span>
        {latestCall?.degraded && <span className="badge">⚠ degraded</span>}
      </div>
      <div
        role="meter"
        aria-label="Context"
        aria-valuemin={0}
        aria-valuemax={contextLength}
        aria-valuenow={Math.min(tokens, contextLength)}
        aria-valuetext={`${label}. Summarises from ${trigger} down to ${reset}.`}
        className="meter-track"
      >
        <div
          className={share >= triggerTokenRatio ? 'meter-fill high' : 'meter-fill'}
          style={{ inlineSize: `${share * 100}%` }}
        />
        <i
          className="meter-mark trigger"
          style={{ insetInlineStart: `${triggerTokenRatio * 100}%` }}
          title={`Summarises from ${trigger} tokens`}
        />
        <i
          className="meter-mark"
          style={{ insetInlineStart: `${resetTokenRatio * 100}%` }}
          title={`Aims at ${reset} tokens or less`}
        />
      </div>
    </div>
  );
}
