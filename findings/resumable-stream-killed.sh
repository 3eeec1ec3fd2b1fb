#!/bin/sh
# A stream whose producer was killed can be neither resumed nor begun again for a day.
#
# Versions: node 24.21.0, resumable-stream 2.2.13, redis 6.3.1, and a redis-server found on the path
# Behavior: The process that produces the stream dies without closing it. hasExistingStream goes on
#   to say true, for a key that lives for a day; resumeExistingStream fails with an error of its own
#   after a second, and so does resumableStream, which does not call the function that makes the
#   stream. createNewResumableStream begins it again.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: null or undefined, as for a stream that is done or unknown, and that the
#   idempotent call makes the stream again.
# For users of a summarizing middleware: a route that resumes needs a way for this error, and what
#   was left in state running has to be closed by the server's own record.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  resumable-stream@2.2.13 \
  redis@6.3.1

if ! command -v redis-server >path.txt; then
  echo 'SKIPPED: no redis-server on the path; nothing was compared' >&2
  exit 77
fi

cat >produce.mjs <<'END'
import { createClient } from 'redis';
import { createResumableStreamContext } from 'resumable-stream/generic';

const socket = { host: '127.0.0.1', port: Number(process.argv[2]) };
const [publisher, subscriber] = await Promise.all([0, 1].map(() => createClient({ socket }).connect()));
const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });
const source = {
  async pull(controller) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.enqueue('word ');
  },
};
const stream = await context.resumableStream('answer', () => new ReadableStream(source));
let words = 0;
for await (const word of stream) if (word !== '' && ++words === 5) process.send('five words');
END

cat >seen.mjs <<'END'
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createClient } from 'redis';
import { createResumableStreamContext } from 'resumable-stream/generic';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');
const options = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no'];
const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
process.on('exit', () => server.kill());
for (let log = ''; !log.includes('Ready to accept');) log += (await once(server.stdout, 'data'))[0];

const socket = { host: '127.0.0.1', port };
const [publisher, subscriber] = await Promise.all([0, 1].map(() => createClient({ socket }).connect()));
const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });
const nameOf = (value) => (value instanceof ReadableStream ? 'a stream' : String(value));
const outcome = (promise) => promise.then(nameOf, ({ message }) => `the error "${message}"`);

console.log(`unknown: ${await outcome(context.resumeExistingStream('answer'))}`);
const producer = fork('produce.mjs', [String(port)]);
await once(producer, 'message');
producer.kill('SIGKILL');
await once(producer, 'exit');

let made = 0;
const make = () => {
  made++;
  return new ReadableStream({
    start(controller) {
      controller.enqueue('again');
      controller.close();
    },
  });
};
console.log(`killed, hasExistingStream: ${await context.hasExistingStream('answer')}`);
console.log(`killed, resumeExistingStream: ${await outcome(context.resumeExistingStream('answer'))}`);
console.log(`killed, resumableStream: ${await outcome(context.resumableStream('answer', make))}, made ${made}`);
const rest = await publisher.ttl('resumable-stream:rs:sentinel:answer');
console.log(`killed, the key lives for more than 23 hours: ${rest > 23 * 3600}`);
console.log(`killed, createNewResumableStream: ${await outcome(context.createNewResumableStream('answer', make))}, made ${made}`);
process.exit(0);
END

cat >expected.txt <<'END'
unknown: undefined
killed, hasExistingStream: true
killed, resumeExistingStream: the error "Timeout waiting for ack"
killed, resumableStream: the error "Timeout waiting for ack", made 0
killed, the key lives for more than 23 hours: true
killed, createNewResumableStream: a stream, made 1
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
