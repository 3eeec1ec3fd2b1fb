import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { buttons } from './styles.ts';
import type { Conversation } from './conversation.ts';

interface VersionSwitchProps {
  readonly conversation: Conversation;
  readonly messageId: string;
}

/** Leads to the other versions of a message, each with what followed it. */
export function VersionSwitch({ conversation, messageId }: VersionSwitchProps): ReactNode {
  const versions = conversation.versions.get(messageId);
  if (versions === undefined) return null;
  const index = versions.indexOf(messageId);
  const step = (label: string, to: number, icon: ReactNode): ReactNode => (
    <button
      type="button"
      className={buttons.icon}
      aria-label={label}
      disabled={conversation.busy || versions[to] === undefined}
      onClick={() => conversation.showVersion(versions[to] ?? messageId)}
    >
      {icon}
    </button>
  );
  return (
    <span className="flex items-center text-xs text-muted-foreground tabular-nums">
      {step('Earlier version', index - 1, <ChevronLeft aria-hidden className="size-4" />)}
      <span>
        {index + 1} / {versions.length}
      </span>
      {step('Later version', index + 1, <ChevronRight aria-hidden className="size-4" />)}
    </span>
  );
}
