import { wordsOf } from "../../knowledge/review/similarity.js";

/** What is said when nothing is asked, as `wordsOf` writes it. A word such as "no" counts only within one of these. */
const COURTESIES = {
  en: `thanks|thank you|thank u|thankyou|thx|ty|tysm|cheers|many thanks|thanks again|thank you again|thanks a lot|thanks alot|thanks a bunch|thanks a ton|thanks so much|thank you so much|thank you so very much
    thanks very much|thank you very much|thanks anyway|thank you anyway|thanks though|no thanks|no thank you|nope thanks|yes thanks|yes thank you|thanks for the help|thanks for your help|thanks for all your help
    thanks for all the help|thank you for the help|thank you for your help|thank you for all your help|thank you for all the help|thanks for your time|thank you for your time|thanks for everything|thank you for everything
    thanks for the info|thanks for the information|thanks for your assistance|for your help|for your help today|thanks for your help today|thank you for your help today|ok|okay|okey|k|great|perfect|super|cool|fine|good|nice
    sweet|excellent|amazing|fantastic|brilliant|lovely|awesome|wonderful|alright|all right|all good|all clear|understood|got it|i got it|i see|good to know|sounds good|sounds great|bye|bye bye|good bye|goodbye|bye now|see you|see ya|cya|take care
    that helps|that helped|that helps a lot|that helped a lot|very helpful|youve been very helpful|you have been very helpful|you are very helpful|i appreciate it|i really appreciate it|much appreciated|appreciate it
    thats all|that is all|that will be all|thatll be all|thats it|that is it|thats all for now|thats all i needed|that is all i needed|no thats all|no that is all|nope thats all|no thats it|no that is it|nope thats it|no that will be all
    im good|im good thanks|no im good|no im good thanks|im all set|have a nice day|have a good day|have a great day|have a good one|have a good night|have a nice evening|have a nice weekend|and have a nice day|and have a good day|and have a great day
    you too|and goodbye|and bye|and good bye|so much|very much|a lot|again|oh|ah|wow|yay|then`,
  de: `danke|dankeschon|danke schon|danke sehr|danke ihnen|danke dir|vielen dank|vielen lieben dank|besten dank|herzlichen dank|tausend dank|lieben dank|danke fur die hilfe|danke fur ihre hilfe|vielen dank fur die hilfe|vielen dank fur ihre hilfe
    danke fur die schnelle antwort|vielen dank fur die schnelle antwort|danke fur die info|ich danke ihnen|ich danke dir|nein danke|nein vielen dank|ja danke|ok danke|merci|sehr gut|gut|prima|super|toll|klasse|spitze|perfekt|wunderbar|alles klar|klar|alles gut|passt
    passt so|verstanden|in ordnung|das hilft|das hilft mir|hat geholfen|das hat geholfen|das war alles|das wars|mehr brauche ich nicht|tschuss|tschau|ciao|auf wiedersehen|bis bald|bis dann|schonen tag|schonen tag noch|einen schonen tag|einen schonen tag noch
    schonen abend|schonen abend noch|schones wochenende|ihnen auch|gleichfalls|schon|sehr`,
  fr: `merci|mrc|mci|merci beaucoup|merci bien|mille mercis|un grand merci|merci a vous|merci pour votre aide|merci de votre aide|merci beaucoup pour votre aide|merci pour tout|merci pour votre reponse|merci pour linformation|je vous remercie|non merci|oui merci
    daccord|dac|tres bien|bien|parfait|genial|super|top|cest bon|cest parfait|cest note|cest tout|ce sera tout|compris|entendu|au revoir|a bientot|bonne journee|bonne soiree|bon week end|et bonne journee|vous aussi|a vous aussi`,
  es: `gracias|muchas gracias|mil gracias|muchisimas gracias|gracias por su ayuda|gracias por tu ayuda|gracias por la ayuda|muchas gracias por su ayuda|gracias por todo|gracias por la informacion|gracias por su respuesta|se lo agradezco|no gracias|si gracias
    vale|de acuerdo|muy bien|bien|perfecto|genial|estupendo|excelente|entendido|listo|claro|ya esta|eso es todo|es todo|nada mas|adios|hasta luego|hasta pronto|chao|que tenga un buen dia|que tengas un buen dia|buen dia|igualmente|muy amable`,
  it: `grazie|grazie mille|mille grazie|tante grazie|molte grazie|grazie tante|grazie ancora|grazie per laiuto|grazie dellaiuto|grazie per il suo aiuto|grazie di tutto|grazie per le informazioni|la ringrazio|ti ringrazio|no grazie|si grazie
    va bene|daccordo|molto bene|bene|perfetto|ottimo|benissimo|fantastico|capito|ho capito|tutto chiaro|chiaro|e tutto|questo e tutto|nientaltro|arrivederci|a presto|ciao|buona giornata|buona serata|altrettanto|gentilissimo|gentilissima`,
  nl: `bedankt|dank u|dank je|dankjewel|dank je wel|dank u wel|dankuwel|heel erg bedankt|hartelijk dank|veel dank|bedankt voor de hulp|bedankt voor uw hulp|bedankt voor je hulp|bedankt voor de informatie|nee bedankt|nee dank u|nee dank je|ja bedankt|ja graag gedaan
    oke|prima|goed|heel goed|top|mooi|fijn|geweldig|perfect|duidelijk|helder|begrepen|dat helpt|dat was alles|dat is alles|tot ziens|doei|dag|fijne dag|fijne dag nog|een fijne dag|prettige dag|fijne avond|insgelijks`,
  pt: `obrigado|obrigada|muito obrigado|muito obrigada|obg|valeu|obrigado pela ajuda|obrigada pela ajuda|muito obrigado pela ajuda|muito obrigada pela ajuda|obrigado por tudo|obrigada por tudo|agradeco|agradecido|agradecida|nao obrigado|nao obrigada|sim obrigado|sim obrigada
    esta bem|ta bom|tudo bem|muito bem|bem|certo|perfeito|otimo|optimo|excelente|fixe|beleza|entendi|entendido|percebi|e tudo|e so isso|era so isso|adeus|tchau|ate logo|ate breve|bom dia|boa tarde|boa noite|tenha um bom dia|um bom dia|igualmente`,
};

/** Phrases by their first word, the longest first. */
export type PhraseTable = ReadonlyMap<string, string[][]>;

/** @param lists phrases between `|` and line breaks, as `wordsOf` writes them */
export function phrasesOf(...lists: readonly Readonly<Record<string, string>>[]): PhraseTable {
  const byFirst = new Map<string, string[][]>();
  for (const phrase of lists
    .flatMap((list) => Object.values(list))
    .join("|")
    .split(/[|\n]/)) {
    const words = phrase.trim().split(" ");
    byFirst.set(words[0]!, [...(byFirst.get(words[0]!) ?? []), words]);
  }
  for (const phrases of byFirst.values()) phrases.sort((a, b) => b.length - a.length);
  return byFirst;
}
export const COURTESY = phrasesOf(COURTESIES);

/** "Thanksss" and "obrigadaa" are drawn out. */
function drawnIn(word: string): string {
  let end = word.length;
  while (end > 1 && word[end - 1] === word[end - 2]) end--;
  return word.slice(0, end);
}

/** Whether the words are phrases of the tables and nothing else, one of `needed` at least. */
export const composedOf = (words: readonly string[], tables: readonly PhraseTable[], needed: PhraseTable): boolean =>
  isComposedOf(words, tables, needed) || isComposedOf(words.map(drawnIn), tables, needed);

function isComposedOf(words: readonly string[], tables: readonly PhraseTable[], needed: PhraseTable): boolean {
  let found = false;
  for (let n = 0; n < words.length;) {
    let [length, isNeeded] = [0, false];
    for (const table of tables) {
      const said = table.get(words[n]!)?.find((phrase) => phrase.every((word, k) => words[n + k] === word));
      if (!said || said.length < length) continue;
      isNeeded = table === needed || (isNeeded && said.length === length);
      length = said.length;
    }
    if (!length) return false;
    found ||= isNeeded;
    n += length;
  }
  return found;
}

/** More than this is never only courtesy. In characters. */
const MAX_TEXT = 300;

/** Nothing is asked: thanks, a goodbye, or a sign such as a thumb. A question mark asks, a number says something, and so does a message without text: it has files. */
export function isCourtesy(text: string): boolean {
  if (text.length > MAX_TEXT || text.includes("?") || !text.trim()) return false;
  const words = wordsOf(text);
  return !words.length || composedOf(words, [COURTESY], COURTESY);
}

/** Says thank you, and nothing else. */
const THANKS =
  /\b(?:thanks+|thank|thx|ty|tysm|cheers|danke\S*|dank|merci+|mercis|mrc|mci|gracias+|grazie+|ringrazio|bedankt|dankjewel|dankuwel|obrigad(?:o+|a+)|obg|valeu|agradeco|agradezco|remercie|appreciate)\b/;
export const isThanks = (text: string): boolean =>
  isCourtesy(text) && wordsOf(text).some((word) => THANKS.test(word) || THANKS.test(drawnIn(word)));
