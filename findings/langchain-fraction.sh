#!/bin/sh
# LangChain takes a model that it does not know for one of 4,097 tokens.
#
# Versions: node 24.21.0, langchain 1.5.14, @langchain/core 1.4.0, @langchain/openai 1.6.0
# Behavior: summarizationMiddleware with trigger fraction 0.8 summarizes a history of 3,300
#   approximate tokens for any name without a profile, a Claude behind a compatible endpoint too;
#   gpt-5, with a profile of 400,000, goes on. The error that asks for absolute counts does not
#   come.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: it throws, as its message about a missing profile says, or never fires.
# For users of a summarizing middleware: a model behind a compatible endpoint is summarized every
#   few thousand tokens, with no sign but the cost; give tokens or a profile.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  langchain@1.5.14 \
  @langchain/core@1.4.0 \
  @langchain/openai@1.6.0

cat >seen.mjs <<'END'
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, summarizationMiddleware } from 'langchain';

let requests = 0;
const answer = {
  id: 'chat_1',
  object: 'chat.completion',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const modelNamed = (model) =>
  new ChatOpenAI({
    model,
    apiKey: 'none',
    configuration: {
      baseURL: 'http://127.0.0.1/v1',
      fetch: async () => {
        requests += 1;
        return Response.json(answer);
      },
    },
  });

for (const name of ['gpt-5', 'qwen3-32b', 'claude-sonnet-4-5'])
  for (const length of [13_000, 13_200]) {
    const model = modelNamed(name);
    const agent = createAgent({
      model,
      middleware: [
        summarizationMiddleware({ model, trigger: { fraction: 0.8 }, keep: { messages: 1 } }),
      ],
    });
    const messages = [
      new HumanMessage('a'.repeat(length)),
      new AIMessage('b'),
      new HumanMessage('c'),
    ];
    requests = 0;
    await agent.invoke({ messages });
    const outcome = requests === 2 ? 'summarized' : 'not summarized';
    console.log(`${name}, ${length} characters: ${outcome}`);
  }
END

cat >expected.txt <<'END'
gpt-5, 13000 characters: not summarized
gpt-5, 13200 characters: not summarized
qwen3-32b, 13000 characters: not summarized
qwen3-32b, 13200 characters: summarized
claude-sonnet-4-5, 13000 characters: not summarized
claude-sonnet-4-5, 13200 characters: summarized
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
