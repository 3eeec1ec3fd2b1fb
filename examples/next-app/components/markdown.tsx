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
  const plugins = useMath(text.includes('$$'));
  return (
    <div data-markdown>
      <Streamdown
        className="leading-relaxed wrap-anywhere"
        isAnimating={isLive}
        components={components}
        controls={controls}
        lineNumbers={false}
        {...(plugins && { plugins })}
      >
        {text}
      </Streamdown>
    </div>
  );
}

/** What renders mathematics, loaded for the first text that has some. */
function useMath(hasMath: boolean): PluginConfig | undefined {
  const [plugins, setPlugins] = useState<PluginConfig>();
  useEffect(() => {
    if (!hasMath) return undefined;
    let isCurrent = true;
    void import('./math-plugin.ts').then(
      ({ mathPlugin }) => isCurrent && setPlugins({ math: mathPlugin }),
    );
    return () => {
      isCurrent = false;
    };
  }, [hasMath]);
  return plugins;
}
