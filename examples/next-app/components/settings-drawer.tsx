'use client';

import { useRef, useState, useTransition, type ReactNode } from 'react';
import { saveSettings } from '../app/chat/[id]/save-settings.ts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { SettingsField } from './settings-field.tsx';

interface SettingsDrawerProps {
  readonly chatId: string;
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
}

type Problems = Awaited<ReturnType<typeof saveSettings>>['problems'];

/** The settings of this conversation. The server checks them; its next call uses them. */
export function SettingsDrawer({ chatId, settings, onSettings }: SettingsDrawerProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [problems, setProblems] = useState<Problems>({});
  const [isSaving, startSaving] = useTransition();

  const save = (form: FormData): void =>
    startSaving(async () => {
      const saved = await saveSettings(chatId, form).catch(() => undefined);
      setProblems(saved?.problems ?? { form: ['The server cannot be reached.'] });
      if (saved?.settings === undefined) return;
      onSettings(saved.settings);
      dialog.current?.close();
    });

  return (
    <>
      <button
        type="button"
        className="button quiet"
        aria-haspopup="dialog"
        onClick={() => dialog.current?.showModal()}
      >
        Settings
      </button>
      <dialog
        ref={dialog}
        className="drawer"
        aria-labelledby="settings-title"
        onClose={() => setProblems({})}
      >
        <form
          noValidate
          // A fresh form for every set of settings, and for every time it is opened anew.
          key={JSON.stringify(settings)}
          onSubmit={(event) => {
            event.preventDefault();
            save(new FormData(event.currentTarget));
          }}
        >
          <h2 id="settings-title">Settings of this conversation</h2>
          <SettingsField
            label="Context length"
            unit="tokens, 2,000 to 200,000"
            problems={problems['contextLength']}
          >
            <input
              name="contextLength"
              type="number"
              min={2_000}
              max={200_000}
              step={500}
              defaultValue={settings.contextLength}
            />
          </SettingsField>
          <SettingsField
            label="Trigger"
            unit="share of the context at which to summarise"
            problems={problems['triggerTokenRatio']}
          >
            <input
              name="triggerTokenRatio"
              type="number"
              step={0.05}
              defaultValue={settings.triggerTokenRatio}
            />
          </SettingsField>
          <SettingsField
            label="Reset"
            unit="share of the context to come down to"
            problems={problems['resetTokenRatio']}
          >
            <input
              name="resetTokenRatio"
              type="number"
              step={0.05}
              defaultValue={settings.resetTokenRatio}
            />
          </SettingsField>
          <SettingsField
            label="Strategy"
            unit="who writes summaries"
            problems={problems['strategy']}
          >
            <select name="strategy" defaultValue={settings.strategy}>
              <option value="llm">llm: the model</option>
              <option value="rule-based">rule-based: code, without a model</option>
              <option value="none">none: only cut what does not fit</option>
            </select>
          </SettingsField>
          <SettingsField
            label="Placement"
            unit="where the summary stands"
            problems={problems['placement']}
          >
            <select name="placement" defaultValue={settings.placement}>
              <option value="auto">auto: as the provider likes it</option>
              <option value="system">system: a system message of its own</option>
              <option value="system-merged">system-merged: into the leading one</option>
              <option value="user">user: into the first user message</option>
            </select>
          </SettingsField>
          {problems['form'] && <p role="alert">{problems['form'].join(' ')}</p>}
          <div className="drawer-actions">
            <button type="button" className="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" className="button primary" disabled={isSaving}>
              Save
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}
