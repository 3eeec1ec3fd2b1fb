import type { UIMessage } from 'ai';

/** Tokens that the model of an example accepts: enough to read at once what it summarizes, and not to prepare the next summary behind it. */
export const contextLength = 12_000;

/** Two tenants, by their tokens. */
export const tenants: string = JSON.stringify({ one: 'tenant 1', two: 'tenant 2' });

/** What stands in prompts that hold a summary. */
export const summarized = 'They spoke of rivers.';

/** Sends a request to an example. */
export type Post = (token: string, body: unknown) => Promise<Response>;

/** Requests to a server on this machine. */
export function postTo(port: number): Post {
  return async (token, body) =>
    fetch(`http://127.0.0.1:${port}/chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
}

/** Sends a chat of so many messages, of some 260 tokens each, as `useChat` does, and reads the whole answer. */
export async function sendChat(post: Post, token: string, length: number): Promise<string> {
  const messages = Array.from({ length }, (_, index): UIMessage => {
    const text = `Message ${index}: ${'rivers and stones and clouds '.repeat(50)}`;
    const role = index % 2 === 0 ? 'user' : 'assistant';
    return { id: `message ${index}`, role, parts: [{ type: 'text', text }] };
  });
  const response = await post(token, { messages });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return text;
}

/** Lets a chat grow until a prompt holds its summary; gives its length. */
export async function growUntilSummarized(
  post: Post,
  { prompts }: { readonly prompts: readonly string[] },
): Promise<number> {
  for (let length = 1; length < 60; length += 2) {
    await sendChat(post, 'one', length);
    if (prompts.at(-1)?.includes(summarized) === true) return length;
  }
  throw new Error('No prompt holds a summary.');
}
