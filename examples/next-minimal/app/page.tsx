'use client';
import { useChat } from '@ai-sdk/react';
import { ContextMeter, useSummarization } from 'ai-sdk-summarization/react';
import type { SummarizationUIMessage } from 'ai-sdk-summarization/ui';

export default function Page() {
  const { messages, sendMessage, status } = useChat<SummarizationUIMessage>();
  const { usage } = useSummarization(messages, { isStreaming: status === 'streaming' });
  const send = (form: FormData) => void sendMessage({ text: String(form.get('text')) });
  return (
    <main>
      {usage && <ContextMeter usedTokens={usage.tokens} maxTokens={usage.contextLength} />}
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          {role}: {parts.map((part) => (part.type === 'text' ? part.text : ''))}
        </p>
      ))}
      <form action={send}>
        <input name="text" aria-label="Message" />
        <button disabled={status !== 'ready'}>Send</button>
      </form>
    </main>
  );
}
