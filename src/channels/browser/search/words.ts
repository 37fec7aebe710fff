export interface Words {
  title: string;
  label: string;
  placeholder: string;
  one: string;
  many: string;
  none: string;
  failed: string;
  wait: string;
}

export const WORDS: Record<string, Words> & { en: Words } = {
  en: {
    title: "How can we help?",
    label: "Your question",
    placeholder: "Ask a question",
    one: "1 answer",
    many: "{n} answers",
    none: "Nothing found. Try other words.",
    failed: "The search cannot be reached. Try again in a moment.",
    wait: "Too many searches. Wait a moment and try again.",
  },
  de: {
    title: "Wie können wir helfen?",
    label: "Ihre Frage",
    placeholder: "Stellen Sie eine Frage",
    one: "1 Antwort",
    many: "{n} Antworten",
    none: "Nichts gefunden. Versuchen Sie es mit anderen Worten.",
    failed: "Die Suche ist nicht erreichbar. Versuchen Sie es gleich noch einmal.",
    wait: "Zu viele Anfragen. Warten Sie einen Moment und versuchen Sie es noch einmal.",
  },
  fr: {
    title: "Comment pouvons-nous vous aider ?",
    label: "Votre question",
    placeholder: "Posez une question",
    one: "1 réponse",
    many: "{n} réponses",
    none: "Aucun résultat. Essayez avec d’autres mots.",
    failed: "La recherche est injoignable. Réessayez dans un instant.",
    wait: "Trop de recherches. Patientez un instant, puis réessayez.",
  },
  es: {
    title: "¿Cómo podemos ayudarle?",
    label: "Su pregunta",
    placeholder: "Haga una pregunta",
    one: "1 respuesta",
    many: "{n} respuestas",
    none: "Sin resultados. Pruebe con otras palabras.",
    failed: "No se puede acceder a la búsqueda. Inténtelo de nuevo en un momento.",
    wait: "Demasiadas búsquedas. Espere un momento e inténtelo de nuevo.",
  },
  nl: {
    title: "Hoe kunnen we u helpen?",
    label: "Uw vraag",
    placeholder: "Stel een vraag",
    one: "1 antwoord",
    many: "{n} antwoorden",
    none: "Niets gevonden. Probeer het met andere woorden.",
    failed: "De zoekfunctie is niet bereikbaar. Probeer het zo nog eens.",
    wait: "Te veel zoekopdrachten. Wacht even en probeer het opnieuw.",
  },
  it: {
    title: "Come possiamo aiutarla?",
    label: "La sua domanda",
    placeholder: "Faccia una domanda",
    one: "1 risposta",
    many: "{n} risposte",
    none: "Nessun risultato. Provi con altre parole.",
    failed: "La ricerca non è raggiungibile. Riprovi tra un momento.",
    wait: "Troppe ricerche. Attenda un momento e riprovi.",
  },
  sv: {
    title: "Hur kan vi hjälpa dig?",
    label: "Din fråga",
    placeholder: "Ställ en fråga",
    one: "1 svar",
    many: "{n} svar",
    none: "Inget hittades. Prova med andra ord.",
    failed: "Sökningen går inte att nå. Försök igen om en stund.",
    wait: "För många sökningar. Vänta en stund och försök igen.",
  },
};
