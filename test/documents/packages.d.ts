/** What the documents use of packages that are not installed here. */
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

declare module 'cloudflare:workers' {
  export function waitUntil(promise: Promise<unknown>): void;
}

declare module '@aws-sdk/client-dynamodb' {
  type Attribute = { readonly S: string } | { readonly N: string };
  interface Row {
    readonly TableName: string;
    readonly Key: Readonly<Record<string, Attribute>>;
  }
  export class GetItemCommand {
    constructor(input: Row & { readonly ConsistentRead: boolean });
    readonly gives: { Item?: Record<string, { readonly S?: string; readonly N?: string }> };
  }
  export class PutItemCommand {
    constructor(input: {
      readonly TableName: string;
      readonly Item: Readonly<Record<string, Attribute>>;
      readonly ConditionExpression: string;
      readonly ExpressionAttributeValues: Readonly<Record<string, Attribute>>;
    });
    readonly gives: object;
  }
  export class DeleteItemCommand {
    constructor(input: Row);
    readonly gives: object;
  }
  export class DynamoDBClient {
    send<Given>(command: { readonly gives: Given }): Promise<Given>;
  }
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
}

declare module '@ai-sdk/devtools' {
  import type { LanguageModelMiddleware } from 'ai';

  export function devToolsMiddleware(): LanguageModelMiddleware;
}
