import { cloneElement, useId, type ReactElement, type ReactNode } from 'react';
import { field } from './styles.ts';

interface ControlAttributes {
  readonly id?: string;
  readonly className?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

interface SettingsFieldProps {
  readonly label: string;
  /** Its effect on cost and memory. */
  readonly hint: string;
  readonly problems: readonly string[] | undefined;
  readonly children: ReactElement<ControlAttributes>;
}

/** A control with its label, what it does, and what the server found wrong with its value. */
export function SettingsField({ label, hint, problems, children }: SettingsFieldProps): ReactNode {
  const id = useId();
  const description = `${id}hint`;
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {cloneElement(children, {
        id,
        className: field,
        'aria-describedby': description,
        'aria-invalid': problems !== undefined,
      })}
      <p
        id={description}
        className={`text-xs ${problems ? 'text-destructive' : 'text-muted-foreground'}`}
        aria-live="polite"
      >
        {problems?.join(' ') ?? hint}
      </p>
    </div>
  );
}
