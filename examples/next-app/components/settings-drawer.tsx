'use client';

import { Settings } from 'lucide-react';
import { useRef, useState, useTransition, type ReactNode } from 'react';
import { saveSettings } from '../app/actions.ts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { SettingsField } from './settings-field.tsx';
import { buttons } from './styles.ts';

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
        className={buttons.icon}
        aria-haspopup="dialog"
        aria-label="Settings"
        onClick={() => dialog.current?.showModal()}
      >
        <Settings aria-hidden className="size-4" />
      </button>
      <dialog
        ref={dialog}
        className="ms-auto me-0 mt-0 h-dvh max-h-none w-96 max-w-[95vw] bg-card p-5 text-foreground backdrop:bg-black/40"
        aria-labelledby="settings-title"
        onClose={() => setProblems({})}
      >
        <form
          noValidate
          // A fresh form for every set of settings, and for every time it is opened anew.
          key={JSON.stringify(settings)}
          className="space-y-5"
          onSubmit={(event) => {
            event.preventDefault();
            save(new FormData(event.currentTarget));
          }}
        >
          <h2 id="settings-title" className="font-semibold">
            Settings of this conversation
          </h2>
          <input type="hidden" name="model" value={settings.model} />
          <SettingsGroup title="Trigger">
            <SettingsField
              label="Context length"
              hint="Tokens, 2,000 to 200,000. A smaller one costs less per call and summarizes sooner."
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
              hint="Share of the context at which to summarize. Higher keeps more word for word, and costs more per call."
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
              hint="Share to come down to. Lower means fewer summaries, each of which says less of more."
              problems={problems['resetTokenRatio']}
            >
              <input
                name="resetTokenRatio"
                type="number"
                step={0.05}
                defaultValue={settings.resetTokenRatio}
              />
            </SettingsField>
          </SettingsGroup>
          <SettingsGroup title="Writing and waiting">
            <SettingsField
              label="Strategy"
              hint="The model remembers best and is paid for it; rules cost nothing and remember what they find."
              problems={problems['strategy']}
            >
              <select name="strategy" defaultValue={settings.strategy}>
                <option value="llm">llm: the model</option>
                <option value="rule-based">rule-based: code, without a model</option>
                <option value="none">none: only cut what does not fit</option>
              </select>
            </SettingsField>
            <SettingsField
              label="Waiting"
              hint="In the background, a summary is prepared beside an answer before it is due. The chart shows each wait."
              problems={problems['waiting']}
            >
              <select name="waiting" defaultValue={settings.waiting}>
                <option value="10000">the answer, ten seconds at most</option>
                <option value="2000">the answer, two seconds at most</option>
                <option value="background">nobody: in the background</option>
              </select>
            </SettingsField>
          </SettingsGroup>
          <SettingsGroup title="Where it stands">
            <SettingsField
              label="Placement"
              hint="Costs nothing. Some providers follow one place better than another."
              problems={problems['placement']}
            >
              <select name="placement" defaultValue={settings.placement}>
                <option value="auto">auto: as the provider likes it</option>
                <option value="system">system: a system message of its own</option>
                <option value="system-merged">system-merged: into the leading one</option>
                <option value="user">user: into the first user message</option>
              </select>
            </SettingsField>
          </SettingsGroup>
          {problems['form'] && <p role="alert">{problems['form'].join(' ')}</p>}
          <div className="flex justify-end gap-2">
            <button type="button" className={buttons.plain} onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button type="submit" className={buttons.primary} disabled={isSaving}>
              Save
            </button>
          </div>
        </form>
      </dialog>
    </>
  );
}

interface SettingsGroupProps {
  readonly title: string;
  readonly children: ReactNode;
}

function SettingsGroup({ title, children }: SettingsGroupProps): ReactNode {
  return (
    <fieldset className="space-y-3 border-t pt-3">
      <legend className="pe-2 text-xs font-semibold text-muted-foreground">{title}</legend>
      {children}
    </fieldset>
  );
}
