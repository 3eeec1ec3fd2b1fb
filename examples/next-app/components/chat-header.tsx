'use client';

import { ContextMeter } from 'ai-sdk-summarization/react';
import type { ContextReading } from 'ai-sdk-summarization/ui';
import { ChartLine, PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ChatSettings } from '../lib/chat-settings.ts';
import type { ModelEntry } from '../lib/models.ts';
import { ModelPicker } from './model-picker.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';
import { buttons } from './styles.ts';

interface ChatHeaderProps {
  readonly chatId: string;
  readonly models: readonly ModelEntry[];
  readonly usage: ContextReading | undefined;
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
  /** Whether there is a chart to open. */
  readonly hasPanel: boolean;
}

/** Says who answers and how full the context is. */
export function ChatHeader({ models, usage, hasPanel, ...settings }: ChatHeaderProps): ReactNode {
  const { contextLength, triggerTokenRatio } = settings.settings;
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-2">
      <button
        type="button"
        className={`${buttons.icon} lg:hidden`}
        popoverTarget="chats"
        aria-label="Chats"
      >
        <PanelLeft aria-hidden className="size-4" />
      </button>
      <h1 className="me-auto text-sm font-semibold max-sm:sr-only">A chat that remembers</h1>
      <ModelPicker {...settings} models={models} />
      <ContextMeter
        usedTokens={usage?.tokens ?? 0}
        maxTokens={contextLength}
        triggerTokenRatio={triggerTokenRatio}
        className="w-44 space-y-1 text-xs text-muted-foreground tabular-nums max-sm:order-last max-sm:w-full"
      />
      {hasPanel && (
        <button
          type="button"
          className={`${buttons.icon} xl:hidden`}
          popoverTarget="context-panel"
          aria-label="Chart"
        >
          <ChartLine aria-hidden className="size-4" />
        </button>
      )}
      <SettingsDrawer {...settings} />
    </header>
  );
}
