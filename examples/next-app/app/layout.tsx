import type { Metadata, Viewport } from 'next';
import type { ReactNode } from 'react';
import './globals.css';

export const metadata: Metadata = {
  title: 'A chat that remembers',
  description:
    'ai-sdk-summarization with Next.js: a conversation that never hits the context limit.',
};

export const viewport: Viewport = { colorScheme: 'light dark' };

export default function RootLayout({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <html lang="en">
      <body className="h-dvh overflow-hidden bg-background text-foreground antialiased">
        {children}
      </body>
    </html>
  );
}
