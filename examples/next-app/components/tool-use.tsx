import type { DynamicToolUIPart, InferUITools, ToolUIPart } from 'ai';
import { Wrench } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ChatTools } from '../lib/tools.ts';

interface ToolUseProps {
  readonly part: ToolUIPart<InferUITools<ChatTools>> | DynamicToolUIPart;
}

/** A tool that was used: what it was asked, and on demand what it said. */
export function ToolUse({ part }: ToolUseProps): ReactNode {
  const name = part.type === 'dynamic-tool' ? part.toolName : part.type.slice('tool-'.length);
  const input = Object.values(part.input ?? {}).join(', ');
  const output = part.state === 'output-available' ? textOfOutput(part.output) : part.errorText;
  return (
    <details data-tool className="rounded-lg border text-xs">
      <summary className="flex items-center gap-2 px-3 py-1.5 text-muted-foreground">
        <Wrench aria-hidden className="size-3.5 shrink-0" />
        <span className="min-w-0 truncate">
          {name} <q>{input}</q> {output === undefined && '…'}
        </span>
      </summary>
      <p className="border-t px-3 py-2 whitespace-pre-wrap wrap-anywhere">{output}</p>
    </details>
  );
}

function textOfOutput(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output, undefined, 1);
}
