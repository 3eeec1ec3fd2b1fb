'use client';

import type { ReactNode } from 'react';
import type { CallReading } from '../lib/chat-message.ts';
import type { ChatSettings } from '../lib/chat-settings.ts';
import { ContextMeter } from './context-meter.tsx';
import { SettingsDrawer } from './settings-drawer.tsx';

interface ChatHeaderProps {
  readonly chatId: string;
  readonly providerName: string;
  readonly latestCall: CallReading | undefined;
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
}

/** Says who answers and how full the context is. */
export function ChatHeader({ providerName, latestCall, ...settings }: ChatHeaderProps): ReactNode {
  return (
    <header className="chat-header">
      <button type="button" className="button quiet narrow-only" popoverTarget="chats">
        Chats
      </button>
      <h1>
        A chat that remembers
        <span className="provider">{providerName}</span>
      </h1>
      <ContextMeter latestCall={latestCall} settings={settings.settings} />
      <button type="button" className="button quiet panel-button" popoverTarget="context-panel">
        Chart
      </button>
      <SettingsDrawer {...settings} />
    </header>
  );
}
