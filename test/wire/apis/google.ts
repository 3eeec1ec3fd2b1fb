import { isRecord, type JsonRecord, record, records, text } from '../json-view.ts';
import { checker, proofOf } from './rule.ts';
import {
  jsonReply,
  pieces,
  type Said,
  saying,
  sseReply,
  type WireApi,
  type WireReply,
  type WireRequest,
} from './wire-api.ts';

/** What the SDK sends in place of a signature it has lost; accepted, with worse answers. */
export const skippedSignature = 'skip_thought_signature_validator';

/** The contents of a body with the names of what each calls and answers. */
function viewOf(body: JsonRecord) {
  const contents = records(body.contents).map((content) => {
    const parts = records(content.parts);
    const named = (key: string): string[] =>
      parts.filter((part) => isRecord(part[key])).map((part) => text(record(part[key]).name));
    return {
      role: text(content.role),
      parts,
      calls: named('functionCall'),
      responses: named('functionResponse'),
    };
  });
  const parts = contents.flatMap((content) => content.parts);
  const texts = [...records(record(body.systemInstruction).parts), ...parts].flatMap((part) =>
    typeof part.text === 'string' ? [part.text] : [],
  );
  return { contents, texts, calls: parts.filter((part) => isRecord(part.functionCall)) };
}

type View = ReturnType<typeof viewOf>;

/** GE6: the first call of each content of the current turn carries its signature. */
function hasUnsignedCall({ contents }: View): boolean {
  const start = contents.findLastIndex(
    ({ role, responses }) => role === 'user' && responses.length === 0,
  );
  return contents.slice(start + 1).some(({ parts }) => {
    const first = parts.find((part) => isRecord(part.functionCall));
    return first !== undefined && text(first.thoughtSignature) === '';
  });
}

/** Rules GE* of Gemini's generateContent. */
const rules = checker(viewOf, {
  E: {
    'GE1: contents is not specified': ({ contents }) => contents.length === 0,
    'GE3: Please ensure that function call turn comes immediately after a user turn or after a function response turn.':
      ({ contents }) =>
        contents.some(
          ({ calls }, index) => calls.length > 0 && contents[index - 1]?.role !== 'user',
        ),
    'GE4: Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.':
      ({ contents }) =>
        contents.some(({ calls }, index) => {
          const answered = contents[index + 1]?.responses ?? [];
          return calls.length > 0 && calls.toSorted().join() !== answered.toSorted().join();
        }),
    'GE5: Please ensure that multiturn requests begin with a user turn.': ({ contents: [first] }) =>
      first !== undefined && (first.role !== 'user' || first.responses.length > 0),
    'GE7: Corrupted thought signature.': ({ calls }) =>
      calls.some(({ thoughtSignature, functionCall }) => {
        const { name, args } = record(functionCall);
        return ![undefined, '', skippedSignature, proofOf(text(name) + JSON.stringify(args))].some(
          (allowed) => thoughtSignature === allowed,
        );
      }),
    'GE8: Please ensure that multiturn requests end with a user role or a function response.': ({
      contents,
    }) => contents.at(-1)?.role === 'model',
    'GE9: Unable to submit request because it must include at least one parts field.': ({
      contents,
    }) => contents.some(({ parts }) => parts.length === 0),
    'C3: Please ensure that function response turn comes immediately after a function call turn.':
      ({ contents }) =>
        contents.some(
          ({ responses }, index) =>
            responses.length > 0 && (contents[index - 1]?.calls ?? []).length === 0,
        ),
    'C6: Unable to submit request because it has an empty text parameter.': ({ texts }) =>
      texts.some((each) => each.trim() === ''),
    'C10: Invalid value at contents.parts.function_call.args (type.googleapis.com/google.protobuf.Struct)':
      ({ calls }) => calls.some(({ functionCall }) => !isRecord(record(functionCall).args)),
  },
  S: {
    'GE10: Please ensure that multiturn requests alternate between user and model.': ({
      contents,
    }) => contents.some(({ role }, index) => role === contents[index - 1]?.role),
  },
  W: {
    'GE6: A thought signature was lost.': ({ calls }) =>
      calls.some(({ thoughtSignature }) => thoughtSignature === skippedSignature),
  },
});

/** Gemini 3 demands thought signatures as well. */
const signatureRules = checker(viewOf, {
  E: {
    'GE6: Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.':
      hasUnsignedCall,
  },
});

/** Gemini's `:generateContent` and `:streamGenerateContent`. */
export const googleApi: WireApi = {
  rules: ({ path, body }) => [
    ...rules(body),
    ...(path.includes('/gemini-3') ? signatureRules(body) : []),
  ],
  isStrict: false,
  refuse: ({ message }) =>
    jsonReply(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  answer,
};

function answer({ path, body }: WireRequest, given?: Partial<Said>): WireReply {
  const isObject = record(body.generationConfig).responseMimeType === 'application/json';
  const { text: content, input, cached, output } = saying(isObject, given);
  const response = (piece: string, isLast: boolean): JsonRecord => ({
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ text: piece }] },
        ...(isLast ? { finishReason: 'STOP' } : {}),
      },
    ],
    usageMetadata: {
      promptTokenCount: input,
      candidatesTokenCount: output,
      totalTokenCount: input + output,
      cachedContentTokenCount: cached,
    },
    responseId: 'response-1',
  });
  if (!path.endsWith(':streamGenerateContent')) return jsonReply(200, response(content, true));
  return sseReply(
    pieces(content).map((piece, index, all) => response(piece, index === all.length - 1)),
  );
}
