#!/bin/sh
# workerd does not cancel the body of a response when the client leaves; the others do at once.
#
# Versions: node 24.21.0, miniflare 4.20260730.0 (workerd), @hono/node-server 2.1.8, bun 1.4.5,
#   deno 2.9.6
# Behavior: A client reads one chunk of an endless body and disconnects. Node, Bun and Deno call
#   cancel of the stream, Node without a reason. workerd pulls no more and never calls cancel, with a
#   pending waitUntil or without; the request's signal aborts where the flag enable_request_signal
#   is set.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: cancel is called everywhere, as the standard says of a body that nobody
#   reads.
# For users of a summarizing middleware: on Workers, a call that is to be given up with its client
#   needs the request's signal; cancel of the stream is not enough.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  miniflare@4.20260730.0 \
  @hono/node-server@2.1.8 \
  bun@1.4.5 \
  deno@2.9.6

cat >handle.mjs <<'END'
const seen = {};

export function handle(request, context) {
  const path = new URL(request.url).pathname;
  if (path === '/seen') return Response.json(seen);
  Object.assign(seen, { pulls: 0, cancel: 'not called', signal: 'not aborted' });
  request.signal.addEventListener('abort', () => (seen.signal = 'aborted'));
  if (path === '/pending') context?.waitUntil?.(new Promise((resolve) => setTimeout(resolve, 8000)));
  const source = {
    async pull(controller) {
      seen.pulls++;
      await new Promise((resolve) => setTimeout(resolve, 500));
      controller.enqueue(new TextEncoder().encode('chunk'));
    },
    cancel(reason) {
      seen.cancel = reason === undefined ? 'called without a reason' : 'called with a reason';
    },
  };
  return new Response(new ReadableStream(source, { highWaterMark: 0 }));
}
END

cat >on-node.mjs <<'END'
import { serve } from '@hono/node-server';
import { handle } from './handle.mjs';

serve({ fetch: (request) => handle(request), port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(port));
END

cat >on-bun.mjs <<'END'
import { handle } from './handle.mjs';

const server = Bun.serve({ fetch: (request) => handle(request), port: 0, hostname: '127.0.0.1' });
console.log(server.port);
END

cat >on-deno.mjs <<'END'
import { handle } from './handle.mjs';

Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(port) }, (request) => handle(request));
END

cat >on-workerd.mjs <<'END'
import { readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';

const miniflare = new Miniflare({
  modules: true,
  host: '127.0.0.1',
  port: 0,
  compatibilityDate: '2026-05-01',
  compatibilityFlags: ['enable_request_signal'],
  script: `${readFileSync('handle.mjs', 'utf8')}
export default { fetch: (request, environment, context) => handle(request, context) };`,
});
console.log((await miniflare.ready).port);
process.once('SIGTERM', () => miniflare.dispose());
END

cat >seen.mjs <<'END'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const servers = {
  Node: ['node', 'on-node.mjs'],
  Bun: ['bun', 'on-bun.mjs'],
  Deno: ['deno', 'run', '--allow-net=127.0.0.1', 'on-deno.mjs'],
  workerd: ['node', 'on-workerd.mjs'],
};
for (const [name, [command, ...options]] of Object.entries(servers)) {
  const server = spawn(`node_modules/.bin/${command}`, options, { stdio: ['ignore', 'pipe', 'ignore'] });
  let printed = '';
  for await (const text of server.stdout) {
    printed += text;
    if (/^\d+\n/m.test(printed)) break;
  }
  const [port] = /^\d+$/m.exec(printed);
  for (const path of name === 'workerd' ? ['plain', 'pending'] : ['plain']) {
    const client = connect(Number(port), '127.0.0.1');
    client.write(`GET /${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    for (let text = ''; !text.includes('chunk');) text += (await once(client, 'data'))[0];
    await sleep(100);
    client.destroy();
    await sleep(2500);
    const { pulls, cancel, signal } = await (await fetch(`http://127.0.0.1:${port}/seen`)).json();
    const work = path === 'pending' ? ', a waitUntil pending' : '';
    console.log(`${name}${work}: cancel ${cancel}, signal ${signal}, ${pulls > 4 ? 'pulls on' : 'pulls no more'}`);
  }
  server.kill();
}
END

cat >expected.txt <<'END'
Node: cancel called without a reason, signal aborted, pulls no more
Bun: cancel called with a reason, signal aborted, pulls no more
Deno: cancel called with a reason, signal aborted, pulls no more
workerd: cancel not called, signal aborted, pulls no more
workerd, a waitUntil pending: cancel not called, signal aborted, pulls no more
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
