import type { Language } from "../context/languages.js";

/** What a model may put before, between and after what it quotes. None of them claims anything. */
const PHRASES = ["hello", "sorry", "thanks", "gladly", "also", "more", "done"] as const;
export type Phrase = (typeof PHRASES)[number];

/** `done` claims something: it is said only where a tool has done it. */
export const CLAIMING: Phrase = "done";
/** Where each may stand: only before all that is quoted, or only after it. `also` stands between. */
export const FIRST: readonly Phrase[] = ["hello", "sorry", "thanks", "gladly"];
export const LAST: readonly Phrase[] = ["more"];

const SAID: Record<Language, Record<Phrase, string>> = {
  en: {
    hello: "Hello!",
    sorry: "I am sorry about that.",
    thanks: "Thank you for your message.",
    gladly: "I am happy to help.",
    also: "And about your other question:",
    more: "Just write if you need anything else.",
    done: "What you asked for has been done.",
  },
  de: {
    hello: "Guten Tag!",
    sorry: "Das tut mir leid.",
    thanks: "Danke für Ihre Nachricht.",
    gladly: "Ich helfe Ihnen gern.",
    also: "Und zu Ihrer anderen Frage:",
    more: "Schreiben Sie einfach, wenn Sie noch etwas brauchen.",
    done: "Was Sie wollten, ist erledigt.",
  },
  fr: {
    hello: "Bonjour !",
    sorry: "J’en suis désolé.",
    thanks: "Merci pour votre message.",
    gladly: "Je vous aide volontiers.",
    also: "Et pour votre autre question :",
    more: "N’hésitez pas à écrire si vous avez besoin d’autre chose.",
    done: "Ce que vous avez demandé est fait.",
  },
  es: {
    hello: "¡Buenos días!",
    sorry: "Lo siento.",
    thanks: "Gracias por su mensaje.",
    gladly: "Le ayudo con gusto.",
    also: "Y sobre su otra pregunta:",
    more: "Escriba si necesita algo más.",
    done: "Lo que pidió ya está hecho.",
  },
  it: {
    hello: "Buongiorno!",
    sorry: "Mi dispiace.",
    thanks: "Grazie per il suo messaggio.",
    gladly: "La aiuto volentieri.",
    also: "E per l’altra domanda:",
    more: "Ci scriva se ha bisogno di altro.",
    done: "Ciò che ha chiesto è stato fatto.",
  },
  nl: {
    hello: "Goedendag!",
    sorry: "Dat spijt me.",
    thanks: "Bedankt voor uw bericht.",
    gladly: "Ik help u graag.",
    also: "En over uw andere vraag:",
    more: "Schrijf gerust als u nog iets nodig hebt.",
    done: "Wat u vroeg, is gedaan.",
  },
  pt: {
    hello: "Olá!",
    sorry: "Lamento.",
    thanks: "Obrigado pela sua mensagem.",
    gladly: "Ajudo com todo o gosto.",
    also: "E sobre a sua outra pergunta:",
    more: "Escreva se precisar de mais alguma coisa.",
    done: "O que pediu já foi feito.",
  },
};

/** In the first of these languages that there are phrases in, else in English. @param languages ISO 639-1 */
export function phrasesIn(...languages: readonly string[]): Record<Phrase, string> {
  const spoken = languages.find((language): language is Language => Object.hasOwn(SAID, language));
  return SAID[spoken ?? "en"];
}

/** `P.hello` is `hello`. */
export const phraseOf = (id: string): Phrase | undefined =>
  PHRASES.find((phrase) => id.trim().toLowerCase() === `p.${phrase}`);
