import type { ReactNode } from 'react';
import type { CallReading } from '../lib/chat-message.ts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { formatCount } from '../lib/format-count.ts';
import { ContextChart } from './context-chart.tsx';

interface ContextPanelProps {
  readonly calls: readonly CallReading[];
  /** What the summaries cost, in tokens. */
  readonly summarizerTokens: number;
  readonly settings: ChatSettings;
}

/** What the calls of a conversation came to. On narrow screens it opens from the header. */
export function ContextPanel({ calls, summarizerTokens, settings }: ContextPanelProps): ReactNode {
  const sent = calls.reduce((sum, { tokens }) => sum + tokens, 0);
  const full = calls.reduce((sum, { fullTokens }) => sum + fullTokens, 0);
  return (
    <aside id="context-panel" className="panel" aria-label="Tokens per call" popover="auto">
      <h2>Tokens per call</h2>
      <ContextChart calls={calls} settings={settings} />
      <dl className="figures">
        <div>
          <dt>Calls</dt>
          <dd>{formatCount(calls.length)}</dd>
        </div>
        <div>
          <dt>Tokens sent</dt>
          <dd>{formatCount(sent)}</dd>
        </div>
        <div>
          <dt>Tokens for summaries</dt>
          <dd>{formatCount(summarizerTokens)}</dd>
        </div>
        <div>
          <dt>With full history</dt>
          <dd>{formatCount(full)}</dd>
        </div>
      </dl>
      <details className="figures-table">
        <summary>Figures as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Call</th>
              <th scope="col">Sent</th>
              <th scope="col">Full history</th>
              <th scope="col">Summary</th>
            </tr>
          </thead>
          <tbody>
            {calls.map(({ tokens, fullTokens, coveredMessages, depth }, index) => (
              <tr key={index}>
                <th scope="row">{index + 1}</th>
                <td>{formatCount(tokens)}</td>
                <td>{formatCount(fullTokens)}</td>
                <td>{depth === undefined ? '' : `${coveredMessages} messages, depth ${depth}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </aside>
  );
}
