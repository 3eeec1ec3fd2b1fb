'use client';

import { useTransition, type ReactNode } from 'react';
import { saveSettings } from '../app/actions.ts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import type { ModelEntry } from '../lib/models.ts';

interface ModelPickerProps {
  readonly chatId: string;
  readonly models: readonly ModelEntry[];
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
}

/** Chooses who answers, of those that a key is set for. */
export function ModelPicker({ chatId, models, settings, onSettings }: ModelPickerProps): ReactNode {
  const [isSaving, startSaving] = useTransition();
  const choose = (model: string): void =>
    startSaving(async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries({ ...settings, model })) {
        form.set(name, String(value));
      }
      const saved = await saveSettings(chatId, form).catch(() => undefined);
      if (saved?.settings !== undefined) onSettings(saved.settings);
    });
  const current = models.find(({ id }) => id === settings.model) ?? models[0];
  return (
    <select
      aria-label="Model"
      className="h-8 max-w-52 min-w-0 rounded-md border border-input bg-card px-1.5 text-sm max-sm:flex-1"
      value={current?.id}
      disabled={isSaving}
      onChange={(event) => choose(event.target.value)}
    >
      {models.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
