import { type JsonRecord, record } from '../json-view.ts';
import { googleRules } from '../rules/google.ts';
import { pieces, sseReply } from './sse-reply.ts';
import { plainAnswer, summaryAnswer } from './summary-answer.ts';
import { type WireApi, type WireReply, type WireRequest, jsonReply } from './wire-api.ts';

/** Gemini's `:generateContent` and `:streamGenerateContent`. */
export const googleApi: WireApi = {
  rules: ({ path, body }) => googleRules(body, path.includes('/gemini-3')),
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  answer,
};

function answer({ path, body }: WireRequest): WireReply {
  const isObject = record(body.generationConfig).responseMimeType === 'application/json';
  const content = isObject ? summaryAnswer : plainAnswer;
  const usageMetadata = {
    promptTokenCount: 100,
    candidatesTokenCount: 10,
    totalTokenCount: 110,
  };
  const response = (piece: string, finishReason?: string): JsonRecord => ({
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ text: piece }] },
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
    usageMetadata,
    responseId: 'response-1',
  });
  if (!path.endsWith(':streamGenerateContent')) return jsonReply(200, response(content, 'STOP'));
  const streamed = pieces(content);
  return sseReply(
    streamed.map((piece, index) =>
      response(piece, index === streamed.length - 1 ? 'STOP' : undefined),
    ),
  );
}
