import { wordsOf } from "../../knowledge/review/similarity.js";
import { plainWordsOf } from "../context/acts.js";
import { COURTESY, composedOf, phrasesOf } from "../context/courtesy.js";
import type { Language } from "../context/languages.js";

// How a contact mends what was said, in the languages that the assistant speaks: whole phrases, as `plainWordsOf` writes them.

const CANCEL: Record<Language, string> = {
  en: `never mind|nevermind|forget it|forget about it|forget that|stop|stop it|please stop|leave it|leave it be|i changed my mind|ive changed my mind|i have changed my mind|changed my mind|dont do it|do not do it|dont do that|do not do that|i dont want that any more|i dont want that anymore|i dont want to any more|i dont want to anymore|lets leave it|let us leave it|not any more|quit|abort|drop it|no longer needed thanks|i dont want to do that|i do not want to do that|no stop|no never mind|no forget it|sorry never mind|actually never mind`,
  de: `vergiss es|vergessen sie es|vergessen sie das|vergessen wir das|vergessen wir es|schon gut|lass es|lassen sie es|lassen wir das|lassen wir es|doch nicht|lieber nicht|lieber doch nicht|abbrechen|bitte abbrechen|abbruch|stopp|stop|halt|hat sich erledigt|das hat sich erledigt|egal|ich habe es mir anders uberlegt|ich habs mir anders uberlegt|nicht mehr notig|ich will nicht mehr|ich mochte nicht mehr|nein doch nicht|ach vergessen sie es`,
  fr: `laissez tomber|laisse tomber|oubliez|oubliez ca|oublie|tant pis|annulez tout|arretez|arrete|stop|jai change davis|finalement non|ce nest plus la peine|plus besoin|je ne veux plus|laissez`,
  es: `olvidalo|olvidelo|dejalo|dejelo|da igual|no importa|alto|pare|para|he cambiado de opinion|cambie de opinion|mejor no|ya no hace falta|ya no|ya no quiero`,
  it: `lascia stare|lasci stare|lasciamo stare|non importa|lascia perdere|lasci perdere|basta|ferma|fermati|si fermi|ho cambiato idea|meglio di no|non serve piu|non voglio piu`,
  nl: `laat maar|laat maar zitten|vergeet het|vergeet het maar|stop|stop maar|ik heb me bedacht|ik ben van gedachten veranderd|toch niet|niet meer nodig|hoeft niet meer|ik wil niet meer`,
  pt: `esqueca|esqueca isso|esquece|deixe|deixe estar|deixa|deixa estar|deixa pra la|nao importa|pare|para|mudei de ideia|melhor nao|ja nao e preciso|nao precisa mais|ja nao quero|nao quero mais`,
};
const WHY: Record<Language, string> = {
  en: `why|why that|why is that|whats that for|what is that for|what for|why do you ask|why do you need that|why do you need this|why do you need it|why do you need to know|why do you need to know that|what do you need it for|what do you need that for|what do you need this for|what do you want it for|why do you want that|why do you want to know|why do you want to know that|for what|why is this needed|why is that needed|is that necessary|is this necessary|do you need that|do you really need that`,
  de: `warum|wieso|weshalb|wozu|wofur|warum denn|warum fragen sie|warum fragst du|wofur brauchen sie das|wofur brauchen sie die|wofur brauchst du das|wozu brauchen sie das|wozu brauchst du das|warum brauchen sie das|warum brauchst du das|warum wollen sie das wissen|warum mussen sie das wissen|wofur ist das|wozu ist das gut|muss das sein|ist das notig`,
  fr: `pourquoi|pourquoi ca|pour quoi faire|pourquoi demandez vous ca|pourquoi vous demandez ca|pourquoi en avez vous besoin|pourquoi avez vous besoin de ca|a quoi ca sert|cest necessaire|est ce necessaire`,
  es: `por que|porque|para que|para que lo necesita|para que lo necesitas|para que lo necesitan|por que lo necesita|por que lo necesitas|por que lo pregunta|por que lo preguntas|para que es|para que sirve|es necesario`,
  it: `perche|a che serve|a cosa serve|a che le serve|perche le serve|perche ti serve|perche lo chiede|perche lo chiedi|per cosa|e necessario`,
  nl: `waarom|waarvoor|waarom vraagt u dat|waarom vraag je dat|waar heeft u dat voor nodig|waar heb je dat voor nodig|waarvoor heeft u dat nodig|waarvoor heb je dat nodig|waarom heeft u dat nodig|is dat nodig`,
  pt: `porque|por que|para que|para que precisa|para que precisa disso|para que precisam disso|porque precisa disso|por que precisa disso|porque pergunta|por que pergunta|para que serve|e necessario`,
};
const AGREE: Record<Language, string> = {
  en: `go ahead|please go ahead|yes go ahead|do it|please do it|yes do it|go on|go for it|proceed|please proceed|yes proceed|confirm|i confirm|confirmed|yes i confirm|looks good|that looks good|sounds good|that is correct|thats correct|all correct|that is fine|thats fine|that works|yes that works|yes thats correct|yes that is correct|yes thats right|yes that is right|i agree|agreed|absolutely|definitely|perfect`,
  de: `machen sie das|machen sie es|mach das|mach es|ja machen sie das|nur zu|los|weiter|bestatigt|ich bestatige|ich bestatige das|passt|das passt|passt so|das stimmt|das ist richtig|einverstanden|in ordnung|gerne|gern|ja gerne|ja gern|unbedingt`,
  fr: `allez y|vas y|faites le|faites|je confirme|confirme|cest bon|cest correct|ca marche|ok pour moi|parfait|continuez|oui allez y`,
  es: `adelante|hagalo|hazlo|confirmo|lo confirmo|confirmado|esta bien|de acuerdo|perfecto|proceda|si adelante|si confirmo`,
  it: `proceda|procedi|confermo|lo confermo|confermato|lo faccia|fallo|daccordo|perfetto|vada avanti|vai|si proceda|si confermo`,
  nl: `ga je gang|gaat uw gang|doe maar|doe het|doe dat maar|ik bevestig|bevestigd|akkoord|prima|ga door|ja doe maar`,
  pt: `avance|pode avancar|faca|faca isso|pode fazer|confirmo|confirmado|de acordo|perfeito|prossiga|sim confirmo|sim avance`,
};
/** No answer yet. */
const HESITATE: Record<Language, string> = {
  en: `let me think|let me think about it|let me check|let me look|let me see|one moment|just a moment|a moment|one second|just a second|one sec|hold on|wait|hang on|i dont know|i do not know|dont know|no idea|not sure|im not sure|i am not sure|hm|hmm|hmmm|um|uh|give me a moment|give me a minute|one minute|i have to look|i need to look it up`,
  de: `moment|einen moment|moment bitte|einen moment bitte|sekunde|eine sekunde|warten sie|warte|ich schaue nach|ich muss nachsehen|ich muss uberlegen|lassen sie mich uberlegen|weiss ich nicht|ich weiss nicht|ich weiss es nicht|keine ahnung|nicht sicher|bin nicht sicher|hm|hmm|ah|tja`,
  fr: `un moment|un instant|une seconde|attendez|attends|je regarde|je verifie|laissez moi reflechir|je ne sais pas|je sais pas|aucune idee|pas sur|pas sure|hm|hmm|euh`,
  es: `un momento|un segundo|espere|espera|dejeme pensar|dejame pensar|dejeme ver|no lo se|no se|ni idea|no estoy seguro|no estoy segura|hm|hmm|eh`,
  it: `un momento|un attimo|un secondo|aspetti|aspetta|mi faccia pensare|fammi pensare|controllo|non lo so|non so|nessuna idea|non sono sicuro|non sono sicura|hm|hmm|eh`,
  nl: `moment|een moment|momentje|een seconde|wacht|wacht even|even kijken|even denken|ik weet het niet|weet ik niet|geen idee|niet zeker|hm|hmm|eh`,
  pt: `um momento|um segundo|espere|espera|deixe me pensar|deixa me pensar|deixe me ver|vou ver|nao sei|nao faco ideia|nao tenho a certeza|hm|hmm|eh`,
};
/** Before what is meant instead. */
const INSTEAD = phrasesOf({
  en: `no|sorry|actually|i meant|i mean|meant|instead|rather|wait|correction|wrong|oops|my mistake|not|i was wrong|change|change it`,
  de: `nein|sorry|entschuldigung|ich meinte|ich meine|meinte|stattdessen|sondern|lieber|moment|korrektur|falsch|ups|doch|nicht`,
  fr: `non|pardon|desole|desolee|je voulais dire|plutot|en fait|attendez|erreur|correction|pas`,
  es: `no|perdon|perdone|queria decir|quiero decir|mas bien|en realidad|espere|correccion|me equivoque`,
  it: `no|scusi|scusa|intendevo|volevo dire|piuttosto|anzi|in realta|aspetti|correzione|mi sono sbagliato|mi sono sbagliata`,
  nl: `nee|sorry|pardon|ik bedoelde|ik bedoel|bedoelde|liever|eigenlijk|wacht|correctie|fout|niet`,
  pt: `nao|desculpe|queria dizer|quero dizer|na verdade|alias|antes|espere|correcao|enganei me`,
});

const CANCELS = phrasesOf(CANCEL);
const REASONS = phrasesOf(WHY);
const AGREES = phrasesOf(AGREE);
const HESITATES = phrasesOf(HESITATE);
const FILLERS = phrasesOf({
  any: `ok|okay|oh|ah|well|please|then|just|actually|sorry|no|but|and|so|yes|bitte|dann|also|aber|und|na|ja|nein|ach|alors|mais|oui|non|pero|entonces|si|allora|ma|maar|nou|dus|mas|entao|sim|nao`,
});
const MAX_TEXT = 300;
/** A part of a sentence says the whole of it: "I changed my mind, I do not need it". */
const CLAUSE = /[.,;:!?\n–—]+/u;
const clausesOf = (text: string): string[][] =>
  text
    .slice(0, MAX_TEXT)
    .split(CLAUSE)
    .map(plainWordsOf)
    .filter((words) => words.length);

export const wantsToStop = (text: string): boolean =>
  clausesOf(text).some((words) => composedOf(words, [CANCELS, COURTESY, FILLERS], CANCELS));
export const asksWhy = (text: string): boolean => {
  const clauses = clausesOf(text);
  return (
    clauses.some((words) => composedOf(words, [REASONS, FILLERS], REASONS)) &&
    clauses.every(
      (words) =>
        composedOf(words, [REASONS, FILLERS, COURTESY], REASONS) || composedOf(words, [FILLERS, COURTESY], FILLERS),
    )
  );
};
/** Says nothing that could be a value. */
export function hesitates(text: string): boolean {
  const clauses = text.length <= MAX_TEXT ? clausesOf(text) : [];
  const onlyThat = (words: string[]): boolean => composedOf(words, [HESITATES, FILLERS, COURTESY], HESITATES);
  return (
    clauses.some(onlyThat) &&
    clauses.every((words) => onlyThat(words) || composedOf(words, [FILLERS, COURTESY], FILLERS))
  );
}
const YES = phrasesOf({ any: "yes|yep|yeah|ja|oui|si|sim|correct|ok|okay|sure" });
/** Nothing but that it shall be done. */
export const agrees = (text: string): boolean =>
  text.length <= MAX_TEXT && !text.includes("?") && composedOf(plainWordsOf(text), [AGREES, YES, COURTESY], AGREES);
/** Something was said before, and was wrong. */
export function corrects(text: string): boolean {
  const words = plainWordsOf(text.slice(0, MAX_TEXT));
  return words.some((word, n) => INSTEAD.get(word)?.some((phrase) => phrase.every((one, k) => words[n + k] === one)));
}

const NEGATIONS = new Set(
  "not dont never without nicht kein keine keinen nie pas jamais nunca non niet geen nao".split(" "),
);
/** So many words may stand between two of a phrase, or between a negation and the phrase. */
const GAP = 3;
const SENTENCE = /[.!?\n]+/u;
/** So many words are compared in one message. Only one that repeats a word hundreds of times, for thousands of phrases, takes more. */
const MAX_COMPARED = 2_000_000;

interface Sentence {
  words: string[];
  /** Where it stands in the message, in words. */
  at: number;
  /** Of each word, whether it is said not to be. */
  denied: boolean[];
}

/** A message in which phrases are looked for: it is divided into words once, whatever there is to look for. */
export class Sentences {
  private readonly sentences: Sentence[] = [];
  private readonly known = new Set<string>();
  private compared = 0;

  constructor(text: string) {
    let at = 0;
    for (const sentence of text.split(SENTENCE)) {
      const words = wordsOf(sentence);
      if (words.length) this.sentences.push({ words, at, denied: words.map((_, n) => isDenied(words, n)) });
      for (const word of words) this.known.add(word);
      at += words.length;
    }
  }

  /**
   * How much of the message a phrase is: its words stand in one sentence in this order, with a few others between.
   * @returns the count of its words, and where it stands; undefined if the message does not have it
   */
  find(phrase: string): { words: number; at: number } | undefined {
    const wanted = wordsOf(phrase);
    if (!wanted.length || !wanted.every((word) => this.known.has(word))) return undefined;
    for (const { words, at, denied } of this.sentences)
      for (let n = words.indexOf(wanted[0]!); n >= 0; n = words.indexOf(wanted[0]!, n + 1)) {
        if (++this.compared > MAX_COMPARED) return undefined;
        if (!denied[n] && this.follows(wanted, words, n)) return { words: wanted.length, at: at + n };
      }
    return undefined;
  }

  private follows(wanted: readonly string[], words: readonly string[], begin: number): boolean {
    let last = begin;
    for (let n = 1; n < wanted.length; n++) {
      if (++this.compared > MAX_COMPARED) return false;
      let next = last + 1;
      while (next <= last + GAP + 1 && words[next] !== wanted[n]) next++;
      if (next > last + GAP + 1) return false;
      last = next;
    }
    return true;
  }
}

const isDenied = (words: readonly string[], begin: number): boolean =>
  words.slice(Math.max(0, begin - GAP), begin).some((word) => NEGATIONS.has(word));
