'use client';

import { useEffect, useState, type ReactNode } from 'react';
import { Streamdown, type PluginConfig } from 'streamdown';

interface MarkdownProps {
  readonly text: string;
  /** Whether it is still being written. */
  readonly isLive: boolean;
}

// A picture would tell another server what was said: what a model wrote may have been dictated to it.
const components = { img: ({ alt = '' }: { alt?: string | undefined }) => <em>{alt}</em> };

const controls = { code: { copy: true, download: false }, table: { copy: true, download: false } };

/** A text of a model: Markdown with code, tables and mathematics, while it is written. */
export function Markdown({ text, isLive }: MarkdownProps): ReactNode {
  const plugins = usePlugins(text);
  return (
    <div data-markdown>
      <Streamdown
        className="leading-relaxed wrap-anywhere"
        isAnimating={isLive}
        components={components}
        controls={controls}
        lineNumbers={false}
        plugins={plugins}
      >
        {text}
      </Streamdown>
    </div>
  );
}

type Plugins = Partial<Pick<PluginConfig, 'code' | 'math'>>;

/** Highlights code and renders mathematics, each loaded for the first text that has some. */
function usePlugins(text: string): Plugins {
  const [plugins, setPlugins] = useState<Plugins>({});
  const hasCode = /```|~~~/.test(text);
  const hasMath = text.includes('$$');
  useEffect(() => {
    let isCurrent = true;
    const add = (loaded: Plugins): void => {
      if (isCurrent) setPlugins((others) => ({ ...others, ...loaded }));
    };
    if (hasCode) void import('@streamdown/code').then(({ code }) => add({ code }));
    if (hasMath) void import('./math-plugin.ts').then(({ mathPlugin: math }) => add({ math }));
    return () => {
      isCurrent = false;
    };
  }, [hasCode, hasMath]);
  return plugins;
}
