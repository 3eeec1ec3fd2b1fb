/** What the documents use of packages that are not installed here. */
declare module 'chromadb' {
  export class ChromaClient {
    getOrCreateCollection(options: { name: string }): Promise<never>;
  }
}

declare module 'next/server' {
  export function after(task: Promise<unknown>): void;
}

declare module 'hono' {
  import type { UIMessage } from 'ai';

  interface Context {
    readonly req: { json(): Promise<{ messages: UIMessage[] }> };
  }
  export class Hono {
    post(path: string, handler: (context: Context) => Promise<Response>): this;
  }
}
