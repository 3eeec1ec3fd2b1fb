import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, it, vi } from 'vitest';
import type { SummaryStore } from '../../src/index.ts';
import { describeStore } from '../stores/describe-store.ts';

const document = readFileSync(new URL('../../docs/write-your-own.md', import.meta.url), 'utf8');
const [, recipe = ''] = /### DynamoDB[\s\S]*?```ts\n([\s\S]*?)```/.exec(document) ?? [];

// Where the packages are found.
const folder = mkdtempSync(new URL('node_modules/.recipe-', import.meta.url));
writeFileSync(`${folder}/recipe.mjs`, stripTypeScriptTypes(recipe));

const server: Server = dynalite({ createTableMs: 0 });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens has an address of that kind
const { port } = server.address() as AddressInfo;
vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
vi.stubEnv('AWS_REGION', 'eu-west-1');
vi.stubEnv('AWS_ACCESS_KEY_ID', 'none');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'none');

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  server.close();
});

async function open(): Promise<SummaryStore> {
  const { dynamo }: { dynamo: SummaryStore } = await import(`${folder}/recipe.mjs`);
  return dynamo;
}

describeStore('the recipe for DynamoDB, as it is pasted', async () => {
  const client = new DynamoDBClient();
  await client.send(
    new CreateTableCommand({
      TableName: 'summaries',
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  const store = await open();
  return [store, store];
});

it('takes a value of its maxBytes, and none of the size that DynamoDB refuses', async () => {
  const { maxBytes = 0, get, compareAndSet } = await open();
  const write = async (value: string): Promise<boolean> =>
    compareAndSet('a', { expected: undefined, value });
  await expect(write('x'.repeat(410_000))).rejects.toThrow('size');
  expect(await write('x'.repeat(maxBytes))).toBe(true);
  expect(await get('a')).toHaveLength(maxBytes);
});
