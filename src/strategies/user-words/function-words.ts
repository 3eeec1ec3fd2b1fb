/**
 * Words by language that say how something is meant and not what it is about: articles, pronouns, auxiliary
 * verbs, what rules and permissions begin with, and verbs that fit any subject.
 */
const languages: readonly string[] = [
  `to at of on it is be or an as by if no so up we in the and for with that this these those from are was were been being have has had not but you your our can
  will would should could may might shall must need needs them they their there here then than when where which
  who what how why into onto about also any all each every never always only please don doesn didn isn aren won
  use uses used using make makes keep give let get put say says said tell answer answers reply respond write
  speak talk ask want wants like rule rules fine okay allowed allowed forbidden required good right now again
  more anymore longer after instead rather unless except just even still too very such some one ones its his her
  she him out off does did done without because forget mind sure avoid ensure thing things everything anything because`,
  `der die das den dem des ein eine einen einem einer eines und oder aber ist sind war waren sein hat haben wird
  werden kann können soll sollen sollst muss müssen musst darf darfst dürfen nicht nie niemals immer nur kein
  keine keinen keiner mit von für auf aus bei nach über unter zum zur vom beim ich wir sie ihr mich mir dich dir
  uns euch bitte jetzt doch auch schon noch mehr sehr gut okay ordnung erlaubt verboten wenn dass was wie wer wo
  antworte antworten schreibe schreib schreiben sprich sprechen benutze verwende verwenden nutze mach mache machen
  statt anstatt künftig sofort alles etwas geht gehen eigentlich`,
  `les des une est sont été être avoir ont était sera peut peux pouvez doit dois devez faut pas plus jamais
  toujours seulement uniquement que qui quoi dans pour par sur avec sans sous mais donc car ces cet cette ses mes
  mon ton son nos vos leur leurs elle elles ils nous vous moi toi lui bien bon bonne bons bonnes autorisé permis
  interdit merci plait plaît réponds répondez répondre écris écrivez écrire parle parlez utilise utilisez fais
  faites finalement maintenant désormais lieu aussi même très tout tous toutes cela ceci ça aux réponses`,
  `los las una unos unas del que con por para sin sobre pero como más muy está están son ser estar fue era hay
  puede puedes pueden debe debes deben tiene tienes nunca siempre solo sólo solamente jamás bien bueno buena
  permitido prohibido favor responde responder responda escribe escribir usa usar utiliza haz hacer habla hablar
  ahora adelante final todo vez lugar ya también este esta estos estas eso esto sus nos les`,
  `gli della delle dello degli nel nella con per non più mai sempre solo soltanto che chi come sono è sei essere
  stato può puoi potete deve devi dovete va bene permesso vietato favore rispondi rispondere scrivi scrivere usa
  usare usate parla fai fare ora adesso poi avanti alla fine tutto invece anche questo questa quello una uno`,
  `dos das uma uns umas com por para sem sobre mas como mais muito está estão são ser estar foi pode podes podem
  deve deves devem nunca sempre só somente apenas não bem bom boa permitido proibido favor responde responda
  responder escreve escreva escrever usa use usar utilize faz faça fazer fala fale agora diante afinal tudo vez já
  também este esta isso isto seus nos`,
  `het een van voor met zonder over maar ook niet nooit altijd alleen geen zijn was waren wordt worden kan kunnen
  moet moeten mag mogen zal zullen bent heeft hebben jij jou jouw wij ons hun zij dat dit deze die alsjeblieft
  graag antwoord antwoorden schrijf schrijven gebruik gebruiken spreek maak maken toch vanaf voortaan plaats goed
  prima toegestaan verboden meer weer nog wel`,
  `nie nigdy zawsze tylko jest są był była było być może możesz można musi musisz trzeba należy wolno się na od do
  ze przez dla bez oraz ale czy jak już jednak teraz też także proszę dobrze okej porządku odpowiadaj odpowiadać
  odpowiedz pisz pisać używaj używać mów rób zamiast tego ten tej jego jej ich który która które wszystko`,
  `не ни никогда всегда только это есть был была было были быть может можешь можно нельзя должен должна должны
  надо нужно для без при под над про или что как кто где когда вот уже ещё еще все всё таки теперь тоже также
  пожалуйста хорошо нормально ладно отвечай отвечайте пиши пишите используй используйте говори делай вместо этого
  больше снова подходит потому мне тебе нам вам они она оно его`,
  `bir bu şu ve veya ile için ama fakat gibi daha çok en hiç asla hep her zaman sadece yalnızca değil var yok olur
  olabilir olsun lütfen cevap cevapla yanıt yanıtla ver verin yaz yazın kullan kullanın konuş et etme etmeyin yap
  yapma yapmayın artık sonra bundan böyle aslında tamam sorun yerine da de mi`,
  `する しない した して ください 下さい です ます ません でも から まで ので ため これ それ あれ この その こと もの
  とき 必ず 常に いつも 決して 絶対 だけ のみ 今後 これから やはり やっぱり 結局 大丈夫 構い かまい 問題 ない なく
  代わり 回答 返信 使用 書い 答え いい よい 良い 使っ 使う`,
  `不要 不得 不能 不可 必须 必須 只能 只用 禁止 始终 始終 总是 總是 永远 永遠 绝不 絕不 可以 应该 應該 需要 今后 今後 以后
  以後 现在 現在 开始 開始 还是 還是 其实 其實 不是 而不是 不再 不用 使用 请用 请 請 回答 回复 回覆 的话 一下 没有 没关系
  没问题 沒問題 问题 也是 而是 都是 好的 任何 所有`,
  `항상 반드시 절대 절대로 마세요 마라 하지 하세요 해주세요 주세요 답변 답변해 대답 대답해 작성 사용 사용해 이제 이제부터
  앞으로 지금부터 역시 사실 결국 다시 괜찮아요 괜찮습니다 괜찮아 말고 대신 아니라 됩니다 돼요 있습니다 합니다`,
  `من في على إلى عن مع هذا هذه ذلك التي الذي كان كانت يكون لا ليس وليس لم لن دائما أبدا فقط يجب ممنوع يمكن يمكنك
  الآن فصاعدا بعد كل شيء لكن أو ثم قد رجاء فضلك أجب استخدم اكتب بدلا`,
  `का के की को में से पर और या नहीं मत न है हैं था थी थे हो होना करें करो कर करना दें दो हमेशा कभी केवल सिर्फ अब आगे फिर
  कृपया ठीक यह वह जो तो भी ही लिए बजाय जगह जवाब उत्तर लिखें`,
  `och att det som den för med inte aldrig alltid bara endast ska skall kan måste får vara är var har hade men
  eller också nu igen ändå snälla svara skriv använd istället okej bra`,
];

const words: readonly ReadonlySet<string>[] = languages.map(
  (language) => new Set(language.split(/\s+/)),
);

const inAnyLanguage: ReadonlySet<string> = new Set(words.flatMap((language) => [...language]));

/** Whether a lower-case word says nothing of the subject, in any of the languages. */
export function isFunctionWord(word: string): boolean {
  return inAnyLanguage.has(word);
}

/** The language, by number, of which most function words stand among some words; `undefined` for none. */
export function languageOf(texts: readonly string[]): number | undefined {
  let most = 0;
  let found: number | undefined;
  for (const [language, known] of words.entries()) {
    const count = texts.filter((word) => known.has(word)).length;
    if (count > most) {
      most = count;
      found = language;
    }
  }
  return found;
}
