import type { Language } from "../context/languages.js";
import { fill, textsIn } from "../context/texts.js";

/** What the assistant says in its own words while it takes the steps of a procedure. */
interface Repairs {
  /** Before the question is asked again. */
  notUnderstood: string;
  /** To one who does not agree. */
  whatElse: string;
  /** To one who asks what it is needed for, where the procedure does not say. */
  noReason: string;
  /** To one who wants to stop. */
  stopped: string;
  /** The same, after something was changed. */
  stoppedLater: string;
}

const REPAIRS: Record<Language, Repairs> = {
  en: {
    notUnderstood: "I am sorry, I did not understand that.",
    whatElse: "What should be different?",
    noReason: "I need this to do what you asked for.",
    stopped: "All right, I have stopped. Nothing was changed.",
    stoppedLater: "All right, I have stopped. What was done before stays as it is.",
  },
  de: {
    notUnderstood: "Das habe ich leider nicht verstanden.",
    whatElse: "Was soll anders sein?",
    noReason: "Ich brauche das für Ihr Anliegen.",
    stopped: "In Ordnung, ich habe abgebrochen. Es wurde nichts geändert.",
    stoppedLater: "In Ordnung, ich habe abgebrochen. Was vorher erledigt wurde, bleibt so.",
  },
  fr: {
    notUnderstood: "Je n’ai malheureusement pas compris.",
    whatElse: "Qu’est-ce qui doit changer ?",
    noReason: "J’en ai besoin pour traiter votre demande.",
    stopped: "D’accord, j’ai arrêté. Rien n’a été modifié.",
    stoppedLater: "D’accord, j’ai arrêté. Ce qui a été fait avant reste tel quel.",
  },
  es: {
    notUnderstood: "Lo siento, no lo he entendido.",
    whatElse: "¿Qué debe ser diferente?",
    noReason: "Lo necesito para atender su solicitud.",
    stopped: "De acuerdo, lo he detenido. No se ha cambiado nada.",
    stoppedLater: "De acuerdo, lo he detenido. Lo que se hizo antes queda como está.",
  },
  it: {
    notUnderstood: "Mi dispiace, non ho capito.",
    whatElse: "Che cosa deve essere diverso?",
    noReason: "Mi serve per la sua richiesta.",
    stopped: "Va bene, mi sono fermato. Non è stato cambiato nulla.",
    stoppedLater: "Va bene, mi sono fermato. Quanto fatto prima resta com’è.",
  },
  nl: {
    notUnderstood: "Dat heb ik helaas niet begrepen.",
    whatElse: "Wat moet er anders zijn?",
    noReason: "Ik heb dit nodig voor uw verzoek.",
    stopped: "Goed, ik ben gestopt. Er is niets gewijzigd.",
    stoppedLater: "Goed, ik ben gestopt. Wat al gedaan is, blijft zo.",
  },
  pt: {
    notUnderstood: "Lamento, não percebi.",
    whatElse: "O que deve ser diferente?",
    noReason: "Preciso disto para tratar do seu pedido.",
    stopped: "Está bem, parei. Nada foi alterado.",
    stoppedLater: "Está bem, parei. O que foi feito antes fica como está.",
  },
};

/** @param languages the contact's, then the workspace's */
export function repairsIn(
  ...languages: readonly string[]
): Repairs & { doYouMean: (value: string) => string; yesOrNo: string[] } {
  const spoken = (languages.find((language) => Object.hasOwn(REPAIRS, language)) ?? "en") as Language;
  const { confirm, yes, no } = textsIn(spoken);
  return { ...REPAIRS[spoken], doYouMean: (value) => fill(confirm, { question: value }), yesOrNo: [yes, no] };
}
