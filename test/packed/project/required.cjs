const { wrapLanguageModel } = require('ai');
const { createOpenAI } = require('@ai-sdk/openai');
const { summarizationMiddleware } = require('ai-sdk-summarization');
const { summarize } = require('ai-sdk-summarization/text');

const model = createOpenAI({ apiKey: 'unused' })('gpt-5-mini');
const wrapped = wrapLanguageModel({ model, middleware: summarizationMiddleware() });
if (wrapped.modelId !== 'gpt-5-mini') throw new Error(wrapped.modelId);
if (typeof summarize !== 'function') throw new Error('summarize is no function');
