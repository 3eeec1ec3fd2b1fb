import { getToolName, type DynamicToolUIPart, type ToolUIPart } from 'ai';
import type { ReactNode } from 'react';
import type { InferUITools } from 'ai';
import type { ChatTools } from '../lib/tools.ts';

interface ToolUseProps {
  readonly part: ToolUIPart<InferUITools<ChatTools>> | DynamicToolUIPart;
}

/** A tool that was used: what it was asked, and on demand what it said. */
export function ToolUse({ part }: ToolUseProps): ReactNode {
  const input = Object.values(part.input ?? {}).join(', ');
  const output = part.state === 'output-available' ? String(part.output) : part.errorText;
  return (
    <details className="tool">
      <summary>
        {getToolName(part)} <q>{input}</q> {output === undefined && '…'}
      </summary>
      <p className="text">{output}</p>
    </details>
  );
}
