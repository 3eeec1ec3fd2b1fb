#!/bin/sh
# A picture given by address is downloaded again in each step of a tool loop.
#
# Versions: node 24.21.0, ai 7.0.173
# Behavior: With a model that takes no addresses, three steps download the same picture three times,
#   and a model or middleware sees bytes; with a model that takes https it sees the address, and
#   nothing is downloaded.
# Output seen on 2026-11-28: the text of expected.txt below; another output fails.
# An expert would guess: one download for a call of generateText.
# For users of a summarizing middleware: the same message is bytes for one model and an address for
#   another; recognize it by what both have in common, and count on three downloads.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  ai@7.0.173

cat >seen.mjs <<'END'
import { generateText, isStepCount, jsonSchema, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
for (const [title, supportedUrls] of [
  ['no addresses', {}],
  ['https', { 'image/*': [/^https:/] }],
]) {
  const seen = [];
  let downloads = 0;
  const model = new MockLanguageModelV4({
    supportedUrls,
    doGenerate: async ({ prompt }) => {
      seen.push(prompt[0].content[0].data.type);
      const isLast = seen.length === 3;
      const call = { type: 'tool-call', toolCallId: `call_${seen.length}`, toolName: 'f', input: '{}' };
      return {
        content: isLast ? [{ type: 'text', text: 'Done.' }] : [call],
        finishReason: { unified: isLast ? 'stop' : 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  const data = new URL('https://cdn.example.com/picture.png');
  await generateText({
    model,
    stopWhen: isStepCount(5),
    tools: {
      f: tool({
        inputSchema: jsonSchema({ type: 'object', properties: {} }),
        execute: async () => 'ok',
      }),
    },
    experimental_download: async (requests) =>
      requests.map(({ isUrlSupportedByModel }) => {
        if (isUrlSupportedByModel) return null;
        downloads++;
        return { data: png, mediaType: 'image/png' };
      }),
    messages: [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data }] }],
  });
  console.log(`${title}: ${downloads} downloads, the model sees ${seen}`);
}
END

cat >expected.txt <<'END'
no addresses: 3 downloads, the model sees data,data,data
https: 0 downloads, the model sees url,url,url
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
