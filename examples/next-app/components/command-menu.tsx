import type { ReactNode } from 'react';

/** Something to do that is no message. */
export interface Command {
  readonly name: string;
  readonly hint: string;
  readonly takesWords: boolean;
}

const all: readonly Command[] = [
  {
    name: '/compact',
    hint: 'Summarize earlier messages now, and what to keep',
    takesWords: false,
  },
  { name: '/undo', hint: 'Take the latest summary back', takesWords: false },
  { name: '/recall', hint: 'Search the summarized messages, word for word', takesWords: true },
];

/** The commands that a draft may become. */
export function matchingCommands(draft: string): readonly Command[] {
  return draft.startsWith('/') ? all.filter(({ name }) => name.startsWith(draft)) : [];
}

interface CommandMenuProps {
  readonly commands: readonly Command[];
  readonly chosen: Command | undefined;
  readonly onPick: (command: Command) => void;
}

/** The menu of commands; the keyboard stays in the box where they are written. */
export function CommandMenu({ commands, chosen, onPick }: CommandMenuProps): ReactNode {
  return (
    <div
      id="commands"
      role="listbox"
      aria-label="Commands"
      className="absolute inset-x-3 bottom-full z-10 mb-1 overflow-hidden rounded-lg border bg-card shadow-lg sm:inset-x-6"
    >
      {commands.map((command) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the box above has the keys.
        <div
          key={command.name}
          id={`command-${command.name.slice(1)}`}
          role="option"
          aria-selected={command === chosen}
          tabIndex={-1}
          className="flex cursor-pointer flex-wrap gap-x-3 px-3 py-2 text-sm aria-selected:bg-muted"
          onClick={() => onPick(command)}
        >
          <span className="font-mono">{command.name}</span>
          <span className="text-muted-foreground">{command.hint}</span>
        </div>
      ))}
    </div>
  );
}
