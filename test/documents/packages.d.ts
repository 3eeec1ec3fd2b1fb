/** What the documents use of packages that are not installed here. */
declare module 'chromadb' {
  export class ChromaClient {
    getOrCreateCollection(options: { name: string }): Promise<never>;
  }
}

declare module '@ai-sdk/react' {
  import type { ChatStatus, UIMessage } from 'ai';

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as the package has it
  export function useChat<Message extends UIMessage = UIMessage>(): {
    readonly messages: Message[];
    readonly status: ChatStatus;
    readonly sendMessage: (message: { readonly text: string }) => Promise<void>;
  };
}

declare module 'next/server' {
  export function after(task: Promise<unknown>): void;
}

declare module '@vercel/functions' {
  export function waitUntil(promise: Promise<unknown>): void;
}

declare module 'cloudflare:workers' {
  export function waitUntil(promise: Promise<unknown>): void;
}

declare module 'bullmq' {
  import type { Redis } from 'ioredis';

  export class Queue<Data> {
    constructor(name: string, options: { connection: Redis });
    add(
      name: string,
      data: Data,
      options: {
        jobId: string;
        removeOnComplete: boolean;
        removeOnFail: boolean;
        attempts: number;
        backoff: { type: 'exponential' | 'fixed'; delay: number };
      },
    ): Promise<unknown>;
  }
  export class Worker<Data> {
    constructor(
      name: string,
      work: (job: { data: Data }) => Promise<unknown>,
      options: { connection: Redis },
    );
    close(): Promise<void>;
  }
  export class UnrecoverableError extends Error {}
}

declare module 'pg-boss' {
  export class PgBoss {
    constructor(connectionString: string);
    start(): Promise<this>;
    createQueue(
      name: string,
      options: { policy: 'exclusive'; retryLimit: number; retryBackoff: boolean },
    ): Promise<void>;
    send(name: string, data: object, options: { singletonKey: string }): Promise<string | null>;
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as the package has it
    work<Data>(
      name: string,
      handler: (jobs: { id: string; data: Data }[]) => Promise<unknown>,
    ): Promise<string>;
  }
}

declare module 'inngest' {
  import type { SummaryJob } from 'ai-sdk-summarization';

  export class Inngest {
    constructor(options: { id: string });
    send(event: { name: string; data: Record<string, unknown> }): Promise<{ ids: string[] }>;
    createFunction(
      options: {
        id: string;
        triggers: { event: string };
        singleton: { key: string; mode: 'skip' | 'cancel' };
      },
      handler: (context: { event: { data: SummaryJob } }) => Promise<unknown>,
    ): unknown;
  }
  export class NonRetriableError extends Error {}
}

declare module '@ai-sdk/workflow' {
  import type { LanguageModel, ModelMessage } from 'ai';

  export class WorkflowAgent {
    constructor(options: { model: LanguageModel });
    stream(options: {
      messages: ModelMessage[];
      writable: WritableStream;
    }): Promise<{ steps: { text: string }[] }>;
  }
}

declare module 'workflow' {
  export function getWritable(): WritableStream;
  export class FatalError extends Error {}
}

declare module 'workflow/api' {
  export function start<Given extends readonly unknown[]>(
    workflow: (...given: Given) => Promise<unknown>,
    given: Given,
  ): Promise<{ runId: string }>;
}
