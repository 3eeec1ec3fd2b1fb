// As the compiler of Nest leaves an application: CommonJS, which loads the package by `require`.
const { Controller, Injectable, Module, Post, Body, Inject } = require('@nestjs/common');
const { NestFactory } = require('@nestjs/core');
const { generateText, wrapLanguageModel } = require('ai');
const { summarizationMiddleware } = require('ai-sdk-summarization');

async function main() {
  const { scriptedTalk, talkFor } = await import('./support.ts');
  const talk = scriptedTalk('v4', 'nest');

  class Chats {
    model = wrapLanguageModel({
      model: talk.model,
      middleware: summarizationMiddleware({
        ...talk.options,
        summarizerModelPreference: talk.summarizer,
      }),
    });
    messages = [];

    async answer(content) {
      this.messages.push({ role: 'user', content });
      const { text } = await generateText({ model: this.model, messages: this.messages });
      this.messages.push({ role: 'assistant', content: text });
      return { text };
    }
  }
  Injectable()(Chats);

  class Chat {
    constructor(chats) {
      this.chats = chats;
    }

    async post({ text }) {
      return this.chats.answer(text);
    }
  }
  Inject(Chats)(Chat, undefined, 0);
  Body()(Chat.prototype, 'post', 0);
  Post('/chat')(Chat.prototype, 'post', Object.getOwnPropertyDescriptor(Chat.prototype, 'post'));
  Controller()(Chat);

  // oxlint-disable-next-line typescript/no-extraneous-class -- a module of Nest is a class with nothing in it
  class Application {}
  Module({ controllers: [Chat], providers: [Chats] })(Application);

  const application = await NestFactory.create(Application, { logger: ['error'] });
  await application.listen(0, '127.0.0.1');
  const url = `${await application.getUrl()}/chat`;
  const outcome = await talkFor(talk, async (text) => {
    const body = JSON.stringify({ text });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
  });
  await application.close();
  console.log(JSON.stringify(outcome));
}

void main();
