import type { Language } from "./phrases.js";

/** What the assistant says in its own words, to contacts and in summaries. */
interface Texts {
  /** To the contact: `{first}` and `{second}` are the questions of two entries. */
  clarify: string;
  handOver: string;
  /** While a colleague decides about an action. */
  approval: string;
  /** An action was done. */
  executed: string;
  /** An action was not done: people take over. */
  refused: string;
  /** `{prompt}` is the first question of several that prove who the contact is. */
  prove: string;
  /** The next one of them. */
  proveMore: string;
  /** For the summary: `{text}` is a message, or the question of an entry. */
  asked: string;
  answered: string;
  askedBack: string;
  unsure: string;
  nothingFound: string;
  wantsPerson: string;
  passedOn: string;
  unfounded: string;
  usedUp: string;
  failed: string;
  /** The same of a call of a tool: `{call}` is its name and arguments. */
  done: string;
  notDone: string;
  unknown: string;
}

export const TEXTS: Record<Language, Texts> = {
  en: {
    clarify: "Do you mean “{first}” or “{second}”?",
    handOver: "I am passing this on to a colleague, who will reply to you here.",
    approval: "A colleague has to approve this first. You will get a reply here.",
    executed: "What you asked for has been done.",
    refused: "I could not do that for you. I am passing this on to a colleague, who will reply to you here.",
    prove: "Before I go on, I have to know that it is you. {prompt}",
    proveMore: "Thank you. One more question. {prompt}",
    asked: "Asked: “{text}”",
    answered: "The assistant answered with: “{text}”",
    askedBack: "The assistant asked back: “{text}”",
    unsure: "The closest entry is not close enough: “{text}”",
    nothingFound: "No approved entry answers this.",
    wantsPerson: "The contact asks for a person.",
    passedOn: "The assistant passes this on.",
    unfounded: "What the assistant wrote rests on no entry.",
    usedUp: "The assistant has used up its tokens.",
    failed: "The assistant could not finish.",
    done: "Carried out: {call}",
    notDone: "Not carried out: {call}",
    unknown: "It is not known whether this was carried out: {call}",
  },
  de: {
    clarify: "Meinen Sie „{first}“ oder „{second}“?",
    handOver: "Ich gebe das an eine Kollegin oder einen Kollegen weiter. Sie erhalten hier eine Antwort.",
    approval: "Das muss erst jemand freigeben. Sie erhalten hier eine Antwort.",
    executed: "Was Sie angefragt haben, ist erledigt.",
    refused:
      "Das konnte ich nicht für Sie tun. Ich gebe es an eine Kollegin oder einen Kollegen weiter. Sie erhalten hier eine Antwort.",
    prove: "Bevor ich weitermache, muss ich wissen, dass Sie es sind. {prompt}",
    proveMore: "Danke. Noch eine Frage. {prompt}",
    asked: "Gefragt: „{text}“",
    answered: "Der Assistent antwortete mit: „{text}“",
    askedBack: "Der Assistent fragte zurück: „{text}“",
    unsure: "Der nächstliegende Eintrag passt nicht gut genug: „{text}“",
    nothingFound: "Kein freigegebener Eintrag beantwortet das.",
    wantsPerson: "Der Kontakt möchte mit einem Menschen sprechen.",
    passedOn: "Der Assistent gibt das weiter.",
    unfounded: "Was der Assistent schrieb, steht in keinem Eintrag.",
    usedUp: "Der Assistent hat seine Tokens verbraucht.",
    failed: "Der Assistent konnte das nicht abschließen.",
    done: "Ausgeführt: {call}",
    notDone: "Nicht ausgeführt: {call}",
    unknown: "Es ist nicht bekannt, ob das ausgeführt wurde: {call}",
  },
  fr: {
    clarify: "Voulez-vous dire « {first} » ou « {second} » ?",
    handOver: "Je transmets votre demande à un membre de l’équipe, qui vous répondra ici.",
    approval: "Un membre de l’équipe doit d’abord donner son accord. Vous recevrez une réponse ici.",
    executed: "Votre demande a bien été traitée.",
    refused: "Je n’ai pas pu le faire. Je transmets votre demande à un membre de l’équipe, qui vous répondra ici.",
    prove: "Avant de continuer, je dois vérifier votre identité. {prompt}",
    proveMore: "Merci. Encore une question. {prompt}",
    asked: "Question : « {text} »",
    answered: "L’assistant a répondu : « {text} »",
    askedBack: "L’assistant a demandé une précision : « {text} »",
    unsure: "L’entrée la plus proche ne correspond pas assez : « {text} »",
    nothingFound: "Aucune entrée approuvée ne répond à cette question.",
    wantsPerson: "Le contact demande à parler à une personne.",
    passedOn: "L’assistant transmet la conversation.",
    unfounded: "Ce que l’assistant a écrit ne s’appuie sur aucune entrée.",
    usedUp: "L’assistant a épuisé ses tokens.",
    failed: "L’assistant n’a pas pu terminer.",
    done: "Exécuté : {call}",
    notDone: "Non exécuté : {call}",
    unknown: "On ne sait pas si cela a été exécuté : {call}",
  },
  es: {
    clarify: "¿Se refiere a «{first}» o a «{second}»?",
    handOver: "Paso su consulta a una persona del equipo, que le responderá aquí.",
    approval: "Antes tiene que aprobarlo una persona del equipo. Recibirá una respuesta aquí.",
    executed: "Lo que solicitó ya está hecho.",
    refused: "No he podido hacerlo. Paso su consulta a una persona del equipo, que le responderá aquí.",
    prove: "Antes de continuar, tengo que comprobar su identidad. {prompt}",
    proveMore: "Gracias. Una pregunta más. {prompt}",
    asked: "Pregunta: «{text}»",
    answered: "El asistente respondió: «{text}»",
    askedBack: "El asistente pidió una aclaración: «{text}»",
    unsure: "La entrada más próxima no se ajusta lo suficiente: «{text}»",
    nothingFound: "Ninguna entrada aprobada responde a esta pregunta.",
    wantsPerson: "El contacto pide hablar con una persona.",
    passedOn: "El asistente traspasa la conversación.",
    unfounded: "Lo que escribió el asistente no se basa en ninguna entrada.",
    usedUp: "El asistente ha agotado sus tokens.",
    failed: "El asistente no ha podido terminar.",
    done: "Ejecutado: {call}",
    notDone: "No ejecutado: {call}",
    unknown: "No se sabe si esto se ejecutó: {call}",
  },
  it: {
    clarify: "Intende «{first}» o «{second}»?",
    handOver: "Passo la Sua richiesta a una persona del team, che Le risponderà qui.",
    approval: "Prima deve approvarlo una persona del team. Riceverà una risposta qui.",
    executed: "Quello che ha chiesto è stato fatto.",
    refused: "Non ho potuto farlo. Passo la Sua richiesta a una persona del team, che Le risponderà qui.",
    prove: "Prima di continuare devo verificare la Sua identità. {prompt}",
    proveMore: "Grazie. Ancora una domanda. {prompt}",
    asked: "Domanda: «{text}»",
    answered: "L’assistente ha risposto: «{text}»",
    askedBack: "L’assistente ha chiesto un chiarimento: «{text}»",
    unsure: "La voce più vicina non corrisponde abbastanza: «{text}»",
    nothingFound: "Nessuna voce approvata risponde a questa domanda.",
    wantsPerson: "Il contatto chiede di parlare con una persona.",
    passedOn: "L’assistente passa la conversazione al team.",
    unfounded: "Ciò che l’assistente ha scritto non si basa su nessuna voce.",
    usedUp: "L’assistente ha esaurito i suoi token.",
    failed: "L’assistente non è riuscito a finire.",
    done: "Eseguito: {call}",
    notDone: "Non eseguito: {call}",
    unknown: "Non si sa se questo sia stato eseguito: {call}",
  },
  nl: {
    clarify: "Bedoelt u “{first}” of “{second}”?",
    handOver: "Ik geef dit door aan een collega. U krijgt hier antwoord.",
    approval: "Een collega moet dit eerst goedkeuren. U krijgt hier antwoord.",
    executed: "Uw verzoek is uitgevoerd.",
    refused: "Dat kon ik niet voor u doen. Ik geef het door aan een collega. U krijgt hier antwoord.",
    prove: "Voordat ik verderga, moet ik zeker weten dat u het bent. {prompt}",
    proveMore: "Dank u wel. Nog één vraag. {prompt}",
    asked: "Vraag: “{text}”",
    answered: "De assistent antwoordde: “{text}”",
    askedBack: "De assistent vroeg ter verduidelijking: “{text}”",
    unsure: "Het dichtstbijzijnde item past niet goed genoeg: “{text}”",
    nothingFound: "Geen goedgekeurd item beantwoordt deze vraag.",
    wantsPerson: "De contactpersoon wil met een mens spreken.",
    passedOn: "De assistent geeft het gesprek door.",
    unfounded: "Wat de assistent schreef, staat in geen enkel item.",
    usedUp: "De assistent heeft zijn tokens verbruikt.",
    failed: "De assistent kon dit niet afronden.",
    done: "Uitgevoerd: {call}",
    notDone: "Niet uitgevoerd: {call}",
    unknown: "Het is niet bekend of dit is uitgevoerd: {call}",
  },
  pt: {
    clarify: "Refere-se a “{first}” ou a “{second}”?",
    handOver: "Vou encaminhar o seu pedido a um colega, que lhe responderá aqui.",
    approval: "Primeiro, um colega tem de aprovar isto. Receberá uma resposta aqui.",
    executed: "O que pediu já foi feito.",
    refused: "Não consegui fazer isto. Vou encaminhar o seu pedido a um colega, que lhe responderá aqui.",
    prove: "Antes de continuar, tenho de confirmar a sua identidade. {prompt}",
    proveMore: "Obrigado. Só mais uma pergunta. {prompt}",
    asked: "Pergunta: “{text}”",
    answered: "O assistente respondeu: “{text}”",
    askedBack: "O assistente pediu um esclarecimento: “{text}”",
    unsure: "A entrada mais próxima não corresponde o suficiente: “{text}”",
    nothingFound: "Nenhuma entrada aprovada responde a esta pergunta.",
    wantsPerson: "O cliente pede para falar com uma pessoa.",
    passedOn: "O assistente encaminha a conversa.",
    unfounded: "O que o assistente escreveu não se baseia em nenhuma entrada.",
    usedUp: "O assistente esgotou os seus tokens.",
    failed: "O assistente não conseguiu terminar.",
    done: "Executado: {call}",
    notDone: "Não executado: {call}",
    unknown: "Não se sabe se isto foi executado: {call}",
  },
};

/** In the first of the languages that there are texts in, else in English. @param languages ISO 639-1 */
export function textsIn(...languages: readonly string[]): Texts {
  const spoken = languages.find((language): language is Language => Object.hasOwn(TEXTS, language));
  return TEXTS[spoken ?? "en"];
}

/** Replaces each `{name}`. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
