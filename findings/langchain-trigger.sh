#!/bin/sh
# LangChain's trigger in tokens counts the letters of texts and tool calls, four to a token.
#
# Versions: node 24.21.0, langchain 1.5.14, @langchain/core 1.4.0
# Behavior: summarizationMiddleware with a trigger of 1,000 tokens works on 4,400 letters of English.
#   It does not on 3,000 Chinese characters, a system prompt of 40,000 letters, 20 tools with long
#   descriptions, a picture of 100 kB, reasoning of 40,000 letters, or an answer that reported
#   100,000 input tokens.
# Output seen on 2026-11-29: the text of expected.txt below; another output fails.
# An expert would guess: the usage that the last answer reported decides, as in LangChain for Python,
#   or at least the whole request does.
# For users of a summarizing middleware: a limit taken over from LangChain is a limit for English
#   text; where all that is sent is counted, the same number is reached far earlier.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cd "$folder"
npm init -y >npm.log
npm install --no-audit --no-fund --loglevel=error \
  node@24.21.0 \
  langchain@1.5.14 \
  @langchain/core@1.4.0

cat >seen.mjs <<'END'
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { AIMessage, HumanMessage, createAgent, summarizationMiddleware, tool } from 'langchain';

class Model extends FakeListChatModel {
  bindTools() {
    return this;
  }
}
const long = 'word '.repeat(8000);
const pixels = 'A'.repeat(100000);
const around = (message) => [new HumanMessage('Hi.'), message, new HumanMessage('Go on.')];
const answer = new AIMessage('Hello.');
const cases = {
  'English letters': { messages: around(new AIMessage('word '.repeat(880))) },
  'Chinese characters': { messages: around(new AIMessage('数据库的密码存放在'.repeat(333))) },
  'a long system prompt': { systemPrompt: long, messages: around(answer) },
  'tools with long descriptions': {
    tools: Array.from({ length: 20 }, (_, index) =>
      tool(async () => 'done', {
        name: `tool${index}`,
        description: 'word '.repeat(200),
        schema: { type: 'object', properties: {} },
      }),
    ),
    messages: around(answer),
  },
  'a picture': {
    messages: around(
      new HumanMessage({
        content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${pixels}` } }],
      }),
    ),
  },
  'long reasoning': {
    messages: around(
      new AIMessage({ content: [{ type: 'reasoning', reasoning: long }, { type: 'text', text: 'Yes.' }] }),
    ),
  },
  'reported usage': {
    messages: around(
      new AIMessage({
        content: 'Hello.',
        usage_metadata: { input_tokens: 100000, output_tokens: 10, total_tokens: 100010 },
      }),
    ),
  },
};
for (const [name, { messages, systemPrompt, tools = [] }] of Object.entries(cases)) {
  const agent = createAgent({
    model: new Model({ responses: ['Done.'] }),
    tools,
    systemPrompt,
    middleware: [
      summarizationMiddleware({
        model: new Model({ responses: ['A summary.'] }),
        trigger: { tokens: 1000 },
        keep: { messages: 1 },
      }),
    ],
  });
  const result = await agent.invoke({ messages });
  const summarized = result.messages.some(({ text }) => text.includes('A summary.'));
  console.log(`${name}: ${summarized ? 'summarized' : 'not summarized'}`);
}
END

cat >expected.txt <<'END'
English letters: summarized
Chinese characters: not summarized
a long system prompt: not summarized
tools with long descriptions: not summarized
a picture: not summarized
long reasoning: not summarized
reported usage: not summarized
END

node_modules/.bin/node seen.mjs >seen.txt
diff expected.txt seen.txt
echo 'as expected'
