import { countShared, subjectWords, wordsOf } from './subject-words.ts';

/** What begins a rule that takes the place of another one. */
const fromNowOn =
  /from (?:now|here) on|henceforth|going forward|starting (?:now|today)|ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|künftig|désormais|dorénavant|à partir de maintenant|à l['’]avenir|a partir de ahora|desde ahora|de ahora en adelante|d['’]ora in (?:poi|avanti)|da (?:ora|adesso) in poi|a partir de agora|de agora em diante|daqui em diante|vanaf nu|voortaan|od teraz|odtąd|od dzisiaj|отныне|с этого момента|теперь|впредь|bundan (?:sonra|böyle)|artık|şu andan itibaren|これから(?:は)?|今後(?:は)?|今から(?:は)?|从现在(?:起|开始)|從現在(?:起|開始)|今后|以后|以後|이제부터|앞으로(?:는)?|지금부터|من الآن(?: فصاعدا?ً?)?|अब से|आगे से|från och med nu/iu;

/** What takes a rule back. */
const afterAll =
  /\b(?:after all|changed my mind|on second thoughts?|any ?more|no longer (?:need|have|has|required|necessary|forbidden)|(?:do|does)(?: not|n['’]t) (?:have|need) to|need not|forget (?:about|the|that|what|my)|scrap (?:the|that|what|my)|never mind (?:the|that|what|my)|ignore (?:the|that|what|my))\b|(?<!\p{L})(?:doch|nicht mehr|wieder (?:erlaubt|okay|ok|in ordnung)|vergiss|vergesst|finalement|après tout|tout compte fait|de nouveau|oublie[sz]?|plus (?:besoin|nécessaire|interdite?s?|obligatoires?)|al final|después de todo|finalmente|ya no|olvida(?:d|te)?|alla fine|dopo tutto|tutto sommato|non \p{L}{1,30} più|dimentica(?:te)?|afinal|no fim das contas|já não|esque[çc][ae]|toch|bij nader inzien|niet meer|vergeet|jednak|ostatecznie|już nie|zapomnij|вс[её][- ](?:таки|же)|больше не|забудь(?:те)?|aslında|yine de|sonuçta|unut(?:un)?|في النهاية|بعد كل شيء|آخر الأمر|आख़?िरकार|फिर भी|भूल जाओ|trots allt|ändå)(?!\p{L})|やっぱり|やはり|結局|忘れて|还是|還是|其实|其實|毕竟|不再|忘掉|忘了|不用再|역시|사실은?|결국|잊어/iu;

/** What is named behind the words that put another thing in its place. */
const insteadOf =
  /(?<!\p{L})(?:no longer|instead of|rather than|nicht mehr|statt|anstatt|au lieu d(?:e|u|es)|ya no|en (?:vez|lugar) de|non più|invece d(?:i|el\p{L}*)|anziché|em vez d[aeo]s?|já não|niet meer|in plaats van|już nie|zamiast|больше не|вместо|بدلا من|وليس|istället för)\s+([^,.;:!?()\n]{1,60})/giu;
const insteadOfInChinese = /(?:而不是|不再)([^，。；：！？、\n]{1,30})/gu;

/** What is not wanted, said behind what is: `German, not French`. */
const notThat =
  /[,，、;—–-]\s*(?:(?:and|und|et|y|e|en|i|a|и|а)\s+|و)?(?:(?:not|nicht|kein\p{L}*|pas|no|non|não|niet|geen|nie|не|لا|ليس|inte)\s|ليس\s|不要|不是|不用)([^,.;:!?()，。；：！？、\n]{1,60})/giu;

/** Words that stand behind what is not wanted. */
const behindUnwanted =
  /değil|yerine|ではなく|じゃなく|の代わりに|말고|대신|아니라|नहीं|के बजाय|की जगह/giu;

/** What forbids: to say of it that it is not wanted does not end it. */
const forbids =
  /\b(?:never|not|n['’]t|no|avoid)\b|(?<!\p{L})(?:niemals|nie|nicht|kein\p{L}*|jamais|pas|nunca|no|non|não|nooit|niet|geen|nigdy|никогда|не|нельзя|asla|لا|ممنوع|मत|aldrig|inte)(?!\p{L})|ない|不要|不得|禁止|하지 ?마/iu;

/** Share of a rule's words that a correction must name, and of its own words that must be of the rule. */
const correctedShare = 1 / 2;
const correctionShare = 1 / 3;

/** Share of a rule's words where a correction says outright that they are not wanted any more. */
const namedShare = 1 / 3;

/** Share of a rule's words that must be named by a correction that speaks of nothing else. */
const leastShare = 1 / 6;

/** What a sentence says is not wanted, or not any more. */
function unwantedIn(sentence: string): readonly string[] {
  const behind = [insteadOf, insteadOfInChinese, notThat].flatMap((pattern) =>
    matchesOf(sentence, pattern).map(([, unwanted = '']) => unwanted),
  );
  const before = matchesOf(sentence, behindUnwanted).map(
    ({ index }) =>
      sentence
        .slice(0, index)
        .split(/[,.;:!?()،、，。]/)
        .at(-1) ?? '',
  );
  return [...behind, ...before];
}

/** Looks first: most sentences have none, and taking a pattern for a pass over one costs more than the pass. */
function matchesOf(sentence: string, pattern: RegExp): readonly RegExpExecArray[] {
  return sentence.search(pattern) < 0 ? [] : [...sentence.matchAll(pattern)];
}

/** A rule, and what it is about. */
export interface RuleSubject {
  readonly text: string;
  readonly words: readonly string[];
}

/**
 * Reads which rules the words of a sentence end: it takes something back, or puts something in the place of another
 * thing, and they share their subject. Where in doubt, a rule goes on: both stand in the record then, in their order.
 *
 * @returns `undefined` where it has no such words.
 */
export function correctionOf(sentence: string): ((rule: RuleSubject) => boolean) | undefined {
  const isNew = fromNowOn.test(sentence);
  const takesBack = afterAll.test(sentence);
  const unwanted = unwantedIn(sentence).map(subjectWords);
  if (!isNew && !takesBack && unwanted.length === 0) return undefined;
  const words = takesBack ? subjectWords(sentence.replace(afterAll, ' ')) : [];
  const frame = isNew ? correctionFrame(sentence.replace(fromNowOn, ' ')) : [];
  return (rule) => {
    const shareOf = (others: readonly string[]): number =>
      countShared(rule.words, others) / rule.words.length;
    if (rule.words.length === 0) return false;
    const named = isNew ? namedShare : correctedShare;
    if (unwanted.some((each) => shareOf(each) >= named) && !forbids.test(rule.text)) return true;
    if (isNew && isSameFrame(correctionFrame(rule.text), frame)) return true;
    if (words.length === 0) return false;
    const ownShare = countShared(words, rule.words) / words.length;
    // What speaks of nothing else means that rule, even where the rule says much.
    const least = ownShare === 1 ? leastShare : correctedShare;
    return ownShare >= correctionShare && shareOf(words) >= least;
  };
}

/** Words of a rule, one of which another can take the place of. */
const leastFrame = 3;

/** Words that rules begin with, and that a newer one need not repeat. */
const always =
  /^(?:please|always|immer|bitte|toujours|siempre|sempre|altijd|zawsze|всегда|her|zaman|항상|हमेशा|دائما)$/u;

function correctionFrame(rule: string): readonly string[] {
  return wordsOf(rule).filter((word) => !always.test(word));
}

/** Whether two rules say the same but for the word at their end or beginning. */
function isSameFrame(older: readonly string[], newer: readonly string[]): boolean {
  if (older.length < leastFrame || older.length !== newer.length) return false;
  const different = older.flatMap((word, index) => (word === newer[index] ? [] : [index]));
  return different.length === 1 && (different[0] === 0 || different[0] === older.length - 1);
}
