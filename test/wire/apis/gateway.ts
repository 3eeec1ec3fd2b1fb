import { record } from '../json-view.ts';
import { jsonReply, pieces, saying, sseReply, type WireApi } from './wire-api.ts';

/** The AI gateway's `/language-model`, which takes calls as the SDK makes them. */
export const gatewayApi: WireApi = {
  rules: () => [],
  isStrict: false,
  refuse: ({ message }) => jsonReply(400, { error: { message, type: 'invalid_request_error' } }),
  answer: ({ body, headers }, given) => {
    const isObject = record(body.responseFormat).type === 'json';
    const { text, input, output } = saying(isObject, given);
    const finish = {
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: input, noCache: input },
        outputTokens: { total: output, text: output },
      },
    };
    if (headers['ai-language-model-streaming'] !== 'true')
      return jsonReply(200, { content: [{ type: 'text', text }], ...finish });
    const id = '1';
    return sseReply([
      { type: 'text-start', id },
      ...pieces(text).map((delta) => ({ type: 'text-delta', id, delta })),
      { type: 'text-end', id },
      { type: 'finish', ...finish },
    ]);
  },
};
