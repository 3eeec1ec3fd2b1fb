import { cloneElement, useId, type ReactElement, type ReactNode } from 'react';

interface ControlAttributes {
  readonly id?: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: boolean;
}

interface SettingsFieldProps {
  readonly label: string;
  readonly unit: string;
  readonly problems: readonly string[] | undefined;
  readonly children: ReactElement<ControlAttributes>;
}

/** A control with its label, its unit, and what the server found wrong with its value. */
export function SettingsField({ label, unit, problems, children }: SettingsFieldProps): ReactNode {
  const id = useId();
  const hint = `${id}hint`;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, {
        id,
        'aria-describedby': hint,
        'aria-invalid': problems !== undefined,
      })}
      <p id={hint} className={problems ? 'field-problem' : 'field-unit'} aria-live="polite">
        {problems?.join(' ') ?? unit}
      </p>
    </div>
  );
}
