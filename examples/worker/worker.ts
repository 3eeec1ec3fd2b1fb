import { prepareSummary, type SummaryJob } from 'ai-sdk-summarization';
import { UnrecoverableError, Worker } from 'bullmq';
import { connection, model, options, queueName, state } from './shared.ts';

// The job of a worker that has died is given to another one when its lock has ended and somebody has looked.
const lockDuration = Number(process.env['LOCK_MS'] ?? 30_000);

const worker = new Worker<SummaryJob>(
  queueName,
  async ({ data: job }) => {
    const result = await prepareSummary({ ...job, ...state, model, options });
    if (!result.ok && result.retryable) throw result.error;
    if (!result.ok) throw new UnrecoverableError(result.error.message);
    return result.record?.id ?? result.reason;
  },
  // By default a job that loses a second worker has failed.
  { connection, lockDuration, stalledInterval: lockDuration, maxStalledCount: 5 },
);

worker.on('completed', (_job, result) => console.log(`done ${result}`));
worker.on('failed', (_job, error) => console.error(error));
worker.on('error', (error) => console.error(error));
await worker.waitUntilReady();
console.log('ready');
