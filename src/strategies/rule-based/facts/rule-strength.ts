import { looksLikeCode } from '../texts/looks-like-code.ts';

/** Words that demand, whoever the sentence speaks of. A word list, not a language model. */
const demands =
  /\b(?:must(?!-)|mustn['’]?t|shall|should(?:n['’]?t)?|ought to|ha(?:ve|s) to|needs? to|may (?:not|only)|(?:is|are|be|not|only) (?:not |strictly |only )?(?:allowed|permitted|forbidden|prohibited|mandatory|required)|no longer|off[- ]limits|under no circumstances)\b/i;

/** Words that forbid or demand where somebody is told to do something. */
const orders =
  /\b(?:never|always|only|do(?: not|n['’]?t)|can(?:not|['’]?t)|avoid|refrain|instead|without|(?:make|be) sure|ensure|stick to|unless|except|prefer|exactly|at (?:least|most)|from now on|stop \w+ing|required?)\b/i;

/** Such words of other languages, which leave little doubt. */
const foreign =
  /(?<!\p{L})(?:niemals|nur|immer|darf(?:st)? (?:nicht|nie|kein\p{L}*|nur)|müssen|soll(?:st|en|te)? (?:nicht|nie|kein\p{L}*|nur|immer)|keinesfalls|jamais|toujours|seulement|uniquement|il faut|interdit|nunca|siempre|solamente|prohibido|hay que|sempre|non \p{L}{1,30} mai|soltanto|vietato|somente|proibido|nooit|altijd|alleen|никогда|всегда|только|нельзя|должн\p{L}+|zawsze|nigdy|tylko|asla|her zaman|sadece|हमेशा|कभी|केवल|دائما|أبدا|فقط|يجب|ممنوع)(?!\p{L})|不要|不得|必须|必須|只能|只用|禁止|始终|始終|总是|總是|绝不|絕不|しない|ないで|必ず|하지 ?마|반드시|항상/iu;

/** Beginnings of sentences in which speakers of other languages tell of themselves; unless they wish. */
const ownStory =
  /^(?:(?:ich|je|yo|io|eu|ik|ja|я|ben|мне|mir|मैं|मैंने|أنا)\s|j['’]|(?:私|僕|俺)[はが]|我(?!们|們)|(?:나는|저는|난|전)\s|\S+ (?:quise|quería|volevo|ho|quis|queria|voulais)\s)/iu;
const foreignWish =
  /(?:möchte|will|wünsch|brauch|erwart|bevorzug|veux|voudrais|souhait|exig|préf|quiero|necesit|prefier|exijo|voglio|vorrei|prefer|esig|quero|precis|prefir|\bwil\b|graag|chcę|wolę|proszę|хочу|прошу|предпочит|istiyor|isterim|rica|要|希望|请|請|ほしい|欲しい|お願い|원해|원합|바랍|चाहत|أريد|أفضل)/iu;

/** What may stand in front of an order. */
const leadIn =
  /^(?:[-*•\s]|\d+[.)]\s|(?:and|but|so|also|then|ok(?:ay)?|please|note(?: however)?(?: that)?|important|remember(?: that)?|rules?|reminder|kindly|plus|or|now|actually|alright|sure|yes|no|great|thanks)[\s,:!.-]+)+/i;

/** Begins a rule without a verb: `From now on German, not French.` */
const newRule = /^from now on\b/i;

/** Names what is wanted and what is not: `Use pnpm, not npm.` */
const contrast =
  /^(?:use|take|choose|prefer|keep|call|name|write|answer|reply|send|put|run|speak)\b[^.?!]{1,80}, (?:and )?not\b/i;

/** Clauses in front of the main one, which begins behind their comma. */
const clauseInFront =
  /^(?:if|when(?:ever)?|while|since|because|as|after|before|although|though|once|until|unless|for|in|on|at|with|by|from|to|given|last|next|instead of|between|\w+ing)\s[^,;:]*(?:[,;:]\s*|$)/i;

/** Beginnings of sentences that state something; what begins otherwise tells somebody to do something. */
const stating =
  /^(?:$|(?:I|we|he|she|it|they|you|there|here|this|that|these|those|my|our|his|her|its|their|your|the|an?|some|many|most|all|one|both|each|every|any|what|who|which|why|how|where|not|like|sorry|well|oh|hi|hello|hey|even|sometimes|maybe|perhaps|honestly|luckily|unfortunately|however)\b|\w+['’](?:s|re|ve|ll|d|m)\b|\S+(?: [\w'’-]+){0,3}? (?:is|are|was|were|am|can|could|has|have|had|means|will|would|often|usually|gets|keeps)\b)/i;

/** What keeps a demand from being one on the listener: who speaks of their own life, or of what there must be. */
const ofOthers = /\b(?:I|my|we|our|he|she|his|her|someone|people|life|there)\b/i;
const exclusion = /^\S* be (?:no\b|only\b|at (?:least|most))/i;

/** What somebody wants done, and what a team does. */
const wish =
  /\bI(?:['’]d| would)? (?:really )?(?:prefer|insist)\b|\b(?:I|we)(?: do(?: not|n['’]t)| only)? want (?:you\b|only\b|no\b|any\b|the\b|to (?:only|never|always|use|pay|fly|keep)\b)|\bwe (?:never|always|only|must|do(?: not|n['’]?t)) (?!know|have|think|remember|see|want|like|mind|need|understand|feel|really|talk|go)\w+/i;

const toListener =
  /\byou (?:\w+ )?(?:must|should|shall|may|cannot|can['’]t|can only|never|always|only|do(?: not|n['’]?t)|have to|need to|are (?:not )?(?:allowed|required|only))\b/i;

/** An order in the middle of a sentence that tells no story. */
const orderBehind =
  /^(?!.*\b(?:I|me|my|we|our|he|she|her|his)\b).*(?:[,;:—–]\s*|\b(?:and|but|so|then|please) )(?:please |just )?(?:never|always|do(?: not|n['’]t)|avoid|only|make sure|ensure)\b/is;

/** Of sentences without any word of rules: who speaks of themselves, and what makes a request of it. */
const ofOneself = /^(?:I|my|we|our|me)\b/i;
const request =
  /\b(?:you|please|want|need|prefer|expect|insist|would like|['’]d like|ask|require|agreed|decided)\b/i;

const phrases =
  /\b(?:never ?mind|don['’]t (?:get me wrong|worry)|as always|can['’]t wait|if only|not only)\b/gi;

/**
 * How strongly a sentence of the user states a rule for whom they speak to: 1 outright, 0.7 by its words.
 * Negative where it has words of rules and is none: a question, a quotation, a remark about oneself, code.
 * 0 without such words.
 */
export function ruleStrength(sentence: string): number {
  const spoken = sentence
    .replaceAll(/`[^`]*`/g, 'x')
    .replaceAll(phrases, '')
    .trim();
  const hasForeign = foreign.test(spoken);
  const demand = demands.exec(spoken);
  const isContrast = contrast.test(spoken.replace(leadIn, ''));
  if (!hasForeign && demand === null && !isContrast && !orders.test(spoken)) return 0;
  if (looksLikeCode(sentence)) return 0;
  if (isQuestion(spoken) || isQuotation(spoken)) return -1;
  if (hasForeign && ownStory.test(spoken) && !foreignWish.test(spoken)) return -1;
  if (hasForeign || isContrast || wish.test(spoken) || toListener.test(spoken)) return 1;
  if (demand !== null) {
    const [before = ''] = spoken.slice(0, demand.index).split(/[,;:]/).slice(-1);
    const isExclusion = exclusion.test(spoken.slice(demand.index));
    if (isExclusion || !ofOthers.test(before.replace(leadIn, ''))) return 0.7;
  }
  if (newRule.test(spoken.replace(leadIn, '')) && !ofOthers.test(spoken)) return 1;
  const order = spoken.replace(leadIn, '').replace(clauseInFront, '').replace(leadIn, '');
  if (!stating.test(order)) return demand === null || orders.test(spoken) ? 1 : 0.7;
  return orderBehind.test(spoken) ? 0.7 : -1;
}

/**
 * Whether a sentence of the user may be a rule for somebody who understands more than its words: it is shown to
 * nobody for its own sake, and tells nothing of the user's own life.
 */
export function mayBeRule(sentence: string): boolean {
  const strength = ruleStrength(sentence);
  if (strength !== 0) return strength > 0;
  const spoken = sentence.trim().replace(leadIn, '');
  const isStory = ofOneself.test(spoken) && !request.test(spoken);
  return !isStory && !(ownStory.test(spoken) && !foreignWish.test(spoken)) && !isShown(sentence);
}

/** Whether a sentence is a question, a quotation or code. */
export function isShown(sentence: string): boolean {
  const spoken = sentence.trim();
  return isQuestion(spoken) || isQuotation(spoken) || looksLikeCode(sentence);
}

function isQuestion(sentence: string): boolean {
  return /[?？؟]["')\]]*$/.test(sentence);
}

/** A sentence that stands in quotation marks as a whole, or behind the mark of a reply. */
function isQuotation(sentence: string): boolean {
  return /^(?:>|["“„«].*["”“»]\W?$)/.test(sentence);
}
