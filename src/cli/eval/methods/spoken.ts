import type { Message, WrappedModel } from '../../../prompt/prompt-types.ts';

/** What a model said, without its reasoning. */
export function spoken({ content }: Awaited<ReturnType<WrappedModel['doGenerate']>>): string {
  return content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('')
    .trim();
}

export function userMessage(text: string): Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}
