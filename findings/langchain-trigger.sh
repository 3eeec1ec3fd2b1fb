#!/bin/sh
# LangChain's trigger in tokens counts a quarter of the characters of the messages, and nothing else.
#
# Versions: node 24.21.0, langchain 1.5.14, @langchain/core 1.4.0, @langchain/openai 1.6.0
# Behavior: summarizationMiddleware does not look at the usage that the last answer reported, the
#   system prompt or the tools; 15,000 Chinese characters are 3,750 tokens to it.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: the tokens that the last answer reported decide, or tools and system prompt
#   are counted.
# For users of a summarizing middleware: a trigger taken over from LangChain fires far later there
#   than where the whole request is counted.
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
import { createAgent, summarizationMiddleware, tool } from 'langchain';

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

const model = modelNamed('gpt-5');
const schema = { type: 'object', properties: {} };
const tools = Array.from({ length: 20 }, (_, index) =>
  tool(() => 'done', { name: `tool_${index}`, description: 'd'.repeat(1000), schema }),
);
const usage = { input_tokens: 100_000, output_tokens: 1, total_tokens: 100_001 };
for (const [title, words, more, reported] of [
  ['16,000 letters', 'a'.repeat(16_000), {}],
  ['15,000 letters', 'a'.repeat(15_000), {}],
  ['the same, 100,000 tokens reported', 'a'.repeat(15_000), {}, usage],
  ['the same, 20,000 characters of tools', 'a'.repeat(15_000), { tools }],
  ['the same, 20,000 of system prompt', 'a'.repeat(15_000), { systemPrompt: 's'.repeat(20_000) }],
  ['15,000 Chinese characters', '\u5b57'.repeat(15_000), {}],
]) {
  const agent = createAgent({
    model,
    ...more,
    middleware: [
      summarizationMiddleware({ model, trigger: { tokens: 4000 }, keep: { messages: 1 } }),
    ],
  });
  const messages = [
    new HumanMessage(words),
    new AIMessage({ content: 'b', usage_metadata: reported }),
    new HumanMessage('c'),
  ];
  requests = 0;
  await agent.invoke({ messages });
  console.log(`${title}: ${requests === 2 ? 'summarized' : 'not summarized'}`);
}
END

cat >expected.txt <<'END'
16,000 letters: summarized
15,000 letters: not summarized
the same, 100,000 tokens reported: not summarized
the same, 20,000 characters of tools: not summarized
the same, 20,000 of system prompt: not summarized
15,000 Chinese characters: not summarized
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
