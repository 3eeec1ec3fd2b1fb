/** Recognizes the subject of a refusal by classes of words, without the wording of a provider. */
export interface StatedRefusal {
  readonly unit: 'tokens' | 'bytes' | 'images';
  /** The words that say so, as they stand in the text. */
  readonly words: string;
  /** The accepted maximum, if it is stated. */
  readonly limit?: number | undefined;
  readonly isInputLimit?: boolean | undefined;
  /** The requested size. */
  readonly size?: number | undefined;
  readonly answerTokens?: number | undefined;
}

/** The answer, whose limit is none of the prompt. */
const answerWords =
  /max_?(?:new_?|completion_?|output_?)?tokens?\b|(?:max(?:imum)?[ _])?(?:new|completion|output|generat(?:ed|ion)|response)[ _](?:tokens?|length)\b|maximum tokens (?:you requested|value)/g;

/** Words of schemas about any value, not about the prompt, and a word of parsers. */
const schemaWords =
  /(?:input|string|value) should (?:be|have|match)|(?:unexpected|scanner:) token|input validation error|validation input|invalid input\b|(?:api|access|auth|bearer|security|id)[ _-]?token/g;

/** A field of the request; what is not the text of a message is another matter. */
const pathWords = /\b(?:messages|input|contents|tools|metadata|functions)(?:[.[][\w.[\]]+)/g;
const otherFields =
  /name|id\b|_id|role|tool|image|url|file|source|type|function|signature|cache|metadata/;

const answer = ' §answer ';
const other = ' §other ';

/** Ends of what is said together; a point within a number or a name is none. */
const sentenceEnds = /[.!?;\n](?=\s|$)|[。！？；]|<[^<>]{0,200}>/;

/** Words for the input of a model. */
const inputWords =
  /(?:prompt|input|message)s?(?![a-z])|conversation|\bchat\b(?![/.])|history|\bquer(?:y|ies)|\bquestion|\btext\b|context|sequence length|seq_?len|transcript|mensaje|mensagem|eingabe|nachricht|entrada|messaggio|сообщен|промпт|入力|プロンプト|입력|프롬프트|输入|提示|上下文|消息|对话|文本|问题|内容/;

/** The same where requests of any kind are meant, as in limits of time. */
const requestWords = /\brequest(?:s|ed)?\b|payload|\bbody\b|entity|\bcontents?\b|请求/;

/** How much the model holds. */
const contextWords =
  /context[ _-]?(?:length|window|size|limit|capacity)|(?:model|sequence|seq)(?: max(?:imum)?)?[ _-]?len(?:gth)?\b|n_ctx|num_ctx|max_seq_len|position_embeddings|kv[ _-]?cache|(?:model|maximum|max)(?:'s)? context|上下文/;

/** That it is more than may be. */
const overWords =
  /too (?:long|large|big|many|much)|exce(?:ed|ss)|(?:(?:long|larg|bigg|great|short|small|high)er|more|less|fewer) than|at most|up to \d|limited to|capped at|[<>]=|[≤≥]| [<>] |(?:must|should|can|may)(?: ?not|n't) (?:be|have) (?:over|above)|beyond|surpass|overflow|over (?:the )?(?:\w+ )?(?:limit|maximum)|\b(?:just|only) \d|(?:above|over) (?:the |a |max|\d)|should be (?:in )?\[|fit (?:in|within|into)|(?:not|n't|no longer) fits?\b|\bfull\b|not enough|ran out|out of (?:context|room|range)|reached|maxlength: \d|超长|超过|超出|超限|过长|太长|过大|太多|上限|zu (?:lang|groß)|trop long|demasiado larg|troppo lung|muito long|слишком длин|превы|長すぎ|超え|너무 (?:긴|길)|초과/;

const contextOver =
  /context (?:is |was |has been )?(?:exhausted|exceeded|overflow|full)|exceed(?:s|ed|ing)? (?:the |its )?(?:model |maximum )?context|(?:increas|enlarg|rais)(?:e|ing) (?:the |your )?(?:\w{1,20} )?context/;

/** The same of a size, whatever else is said. */
const tooLong =
  /too (?:long|large|big)|zu lang|trop long|larg[oa]|lung[oa]|long[oa]|длин|長すぎ|너무|超长|过长|太长|过大|longer than|larger than/;

/** Words for another request. */
const shortenWords =
  /(?:reduce|shorten|truncate|trim|decrease|cut down)(?: the| your)?(?: \w+){0,4} (?:prompts?|inputs?|messages?|conversation|context|history)\b|(?:try|use|using|provide|send) (?:a )?(?:shorter|smaller|fewer) (?:prompts?|inputs?|messages?|context|conversation|history)/;

const tokenWords = /tokens?(?![a-z])|토큰|トークン/;
const sizeWords =
  /tokens?|length|\blong|\bsize|characters?\b|\bchars\b|symbols\b|\bwords\b|window|memory|capacity|长|字符|字数/;
const limitWords = /limit|maximum|\bmax/;

/** Objects with limits of their own, which a shorter conversation does not change. */
const otherWords =
  /§other|\btools?\b|functions?\b|images?\b|pictures?|photo|audio|video|\bfiles?\b|\bpdf|\bpages?\b|documents?\b|attachment|schema|\bstop\b|metadata|header|\bur[il]\b|\bembeddings?\b|voice|batch|\bnames?\b|description|pixel|dimension|resolution|\btime|deadline|seconds|\bms\b|concurren|parallel|connection|nest|depth|retries|temperature|top_[pk]|\bseed|logprobs|breakpoints?|cache|budget|图片|文件|频率|额度|余额|并发|次数|超时/;

const byteWords =
  /\bbytes?\b|\d ?[kmg]i?b\b|payload|entity|\bbody\b|grpc|request[ _](?:is |was )?too[ _](?:large|long|big)|request (?:exceeds|size)|message larger than|请求体/;

const pictureWords = /\bimages?\b|image\(s\)|\bmedia\b|pictures?\b|图片/;
const pictureSizeWords =
  /\d ?x ?\d|too (?:large|big|long)|pixel|dimension|resolution|width|height|bytes?\b|\d ?[kmg]i?b\b|\bsize|format|decode|corrupt|support images|tokens?\b|过大/;
const countWords =
  /too (?:many|much)|at most|exce(?:ed|ss)|max|more than|up to \d|only \d|limit| > |<=|超过|太多|最多/;

/** How a text of an error, in lower case, speaks of a request that is too large; `undefined` where it does not. */
export function refusalIn(given: string): StatedRefusal | undefined {
  // A code is words too.
  const text = /\s/.test(given)
    ? given
    : given.replaceAll(answerWords, answer).replaceAll(/[_-]/g, ' ');
  const sentences = text.split(sentenceEnds).filter((each) => each.trim() !== '');
  const isShort = text.length <= mostOfTwoSizes;
  const asOne = isShort ? [...sentences, text] : sentences;
  const tokens = sentences.find(isOfTokens) ?? asOne.find(hasTwoSizes);
  if (tokens !== undefined) return { unit: 'tokens', words: tokens.trim(), ...figuresIn(text) };
  const images = sentences.find(isOfPictures);
  if (images !== undefined) {
    const numbers = numbersIn(images).map(({ value }) => value);
    const limit =
      numbers.length === 0 ? undefined : Math.min(...numbers.filter((each) => each > 0));
    return { unit: 'images', words: images.trim(), limit };
  }
  const bytes = sentences.find(isOfBytes);
  if (bytes === undefined) return undefined;
  const words = bytes.trim();
  return tokenWords.test(text)
    ? { unit: 'tokens', words, ...figuresIn(text) }
    : { unit: 'bytes', words, ...bytesIn(bytes) };
}

/** Characters of a text that is read as one sentence where a size and a limit stand apart. */
const mostOfTwoSizes = 300;

/** A sentence without what it says of the answer, of schemas and of other fields. */
function masked(sentence: string): string {
  return sentence
    .replaceAll(/[`'"*\\]/g, (mark) => (mark === "'" ? mark : ''))
    .replaceAll(answerWords, answer)
    .replaceAll(schemaWords, ' ')
    .replaceAll(pathWords, (path) => (otherFields.test(path) ? other : ' messages '));
}

function isOfTokens(sentence: string): boolean {
  const said = masked(sentence);
  const hasInput = inputWords.test(said);
  if (shortenWords.test(said) && !otherWords.test(said)) return true;
  if (contextOver.test(said)) return true;
  if (!overWords.test(said)) return false;
  const hasTokens = tokenWords.test(said);
  if (otherWords.test(said) && !(hasTokens && hasInput)) return false;
  // A limit of the answer alone is no limit of the prompt.
  if (said.includes(answer) && !hasInput && !contextWords.test(said)) return false;
  const isOfBoth =
    said.includes(answer) && numbersIn(said).some(({ value }) => value >= leastTokens);
  if (contextWords.test(said) || hasTokens || isOfBoth) return true;
  if (byteWords.test(said)) return false;
  return hasInput && (tooLong.test(said) || sizeWords.test(said) || limitWords.test(said));
}

/** Whether a size in tokens and a limit stand beside each other, of nothing else. */
function hasTwoSizes(text: string): boolean {
  const said = masked(text);
  const sizes = new Set(
    numbersIn(said).flatMap(({ value }) => (value >= leastTokens ? value : [])),
  );
  const isOfSize = tokenWords.test(said) || (sizeWords.test(said) && limitWords.test(said));
  const isOfInput = isOfSize && (inputWords.test(said) || requestWords.test(said));
  const isOther = said.includes(answer) || otherWords.test(said);
  return sizes.size === 2 && isOfInput && !isOther;
}

function isOfPictures(sentence: string): boolean {
  return (
    pictureWords.test(sentence) && countWords.test(sentence) && !pictureSizeWords.test(sentence)
  );
}

function isOfBytes(sentence: string): boolean {
  const said = masked(sentence);
  if (!overWords.test(said) || otherWords.test(said)) return false;
  const large = numbersIn(said).filter(({ value }) => value >= leastLargeBytes);
  if (large.length > 1 && sizeWords.test(said)) return true;
  const isOfRequest = requestWords.test(said) || inputWords.test(said);
  return byteWords.test(said) && (isOfRequest || /max bytes|grpc/.test(said));
}

/** Two sizes as large as that, of which no unit is said, are of a body or of a text in it. */
const leastLargeBytes = 2 ** 20;

/** A number and what stands around it. */
interface NumberInText {
  readonly value: number;
  readonly before: string;
  readonly after: string;
}

/** Characters around a number that say what it is of. */
const around = 40;

/** Numbers of a text that belong to no name, code or date. */
function numbersIn(text: string): readonly NumberInText[] {
  return [...text.matchAll(/(\d(?:[\d,_]{0,18}\d)?)(k\b)?/g)].flatMap((match) => {
    const { 0: whole, 1: digits = '', 2: thousands, index } = match;
    const before = text.slice(Math.max(0, index - around), index);
    const after = text.slice(index + whole.length, index + whole.length + around);
    const isName = /[\p{L}_-]$|\d[.:-]$/u.test(before) || /^(?:[a-z]|[.:-]\d)/.test(after);
    // A status that stands in front is one too.
    const isCode =
      (/^\s*$/.test(before) && /^[45]\d\d$/.test(whole)) ||
      /(?:code|status|error|http|\bid|by)\W{0,3}$/.test(before) ||
      (before.endsWith('<') && after.startsWith('>'));
    const value = Number(digits.replaceAll(/\D/g, '')) * (thousands === undefined ? 1 : 1000);
    return isName || isCode ? [] : [{ value, before, after }];
  });
}

/** Smaller numbers count something else. */
const leastTokens = 256;

/** Words between a limit and the number or word before it. */
const limitBefore =
  /limit|maximum|\bmax|at most|up to|than|exceed|[<>]|only|just|equal to|上限|最大/;
const rangeBefore = /\[\d{1,6}, ?$/;
const answerBefore =
  /(?:max_?(?:new_?|completion_?|output_?)?tokens|output|completion)[ `:=(]{0,4}(?:of )?$/;
const answerAfter =
  /^[ `)]{0,3}(?:tokens? )?(?:(?:in|for|from) the |of )?[`]?(?:max_|completion|output|new_|generat)/;

function isOfAnswer({ before, after }: NumberInText): boolean {
  return answerAfter.test(after) || answerBefore.test(before);
}

/** Words for sizes in tokens: of two numbers the smaller one is the limit. */
function figuresIn(text: string): Omit<StatedRefusal, 'unit' | 'words'> {
  const numbers = numbersIn(text).filter(({ value }) => value > 0);
  const answerTokens = numbers.find(isOfAnswer)?.value;
  const others = numbers.filter((each) => each.value >= leastTokens && !isOfAnswer(each));
  const limited = others.filter(
    ({ before }) =>
      rangeBefore.test(before) || limitBefore.test(before.split(/\d/).at(-1)?.slice(-32) ?? ''),
  );
  const values = others.map(({ value }) => value);
  const limit =
    new Set(values).size === 2 && answerTokens === undefined
      ? Math.min(...values)
      : limited.at(0)?.value;
  const size = values.find((value) => value !== limit);
  const isInput = /max(?:imum)? (?:allowed )?(?:input|prompt)|input (?:token )?limit/.test(text);
  return {
    limit,
    isInputLimit: limit !== undefined && isInput && answerTokens === undefined ? true : undefined,
    size,
    answerTokens,
  };
}

const byteUnits: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Words for sizes in bytes. */
function bytesIn(sentence: string): Pick<StatedRefusal, 'limit' | 'size'> {
  const scaled = [...sentence.matchAll(/(\d{1,9}(?:\.\d{1,3})?) ?([kmg])i?b\b/g)].map(
    ([, digits = '', unit = '']) => Math.floor(Number(digits) * (byteUnits[unit] ?? 1)),
  );
  const plain = numbersIn(sentence).flatMap(({ value }) => (value >= 2 ** 10 ? [value] : []));
  const sizes = [...scaled, ...plain].toSorted((one, two) => one - two);
  return { limit: sizes[0], size: sizes[1] };
}

/** How far two counts of one prompt are apart at the most. */
const mostApart = 2;

/**
 * Two figures of a text that speaks of sizes, one near our own count of what was sent and one below it: whatever the
 * language, that is a limit.
 */
export function findSizeFigures(text: string, sentTokens: number): StatedRefusal | undefined {
  const said = masked(text);
  if (!(tokenWords.test(said) || inputWords.test(said) || sizeWords.test(said))) return undefined;
  if (said.includes(answer) || otherWords.test(said)) return undefined;
  const values = numbersIn(text).map(({ value }) => value);
  const size = values.find(
    (value) => value >= sentTokens / mostApart && value <= sentTokens * mostApart,
  );
  if (size === undefined) return undefined;
  const limit = values.find((value) => value < size && value >= size / 4 && value >= leastTokens);
  return limit === undefined ? undefined : { unit: 'tokens', words: text, limit, size };
}
