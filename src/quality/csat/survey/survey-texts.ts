/** The texts of a survey's page, and the default question. `{who}` is the brand. */
export interface SurveyTexts {
  question: string;
  /** The ends of the scale. */
  lowest: string;
  highest: string;
  /** The two answers of a scale of two. */
  bad: string;
  good: string;
  comment: string;
  optional: string;
  send: string;
  choose: string;
  tooLong: string;
  thanks: string;
  noted: string;
  /** There was an answer before. */
  known: string;
  more: string;
  close: string;
  dead: string;
  deadMore: string;
}

const TEXTS: Record<string, SurveyTexts> = {
  en: {
    question: "How satisfied are you with the help you got from {who}?",
    lowest: "Not at all satisfied",
    highest: "Very satisfied",
    bad: "Not satisfied",
    good: "Satisfied",
    comment: "Would you like to tell us more?",
    optional: "optional",
    send: "Send",
    choose: "Please choose an answer.",
    tooLong: "Please use at most 2,000 characters.",
    thanks: "Thank you",
    noted: "Your answer has been noted.",
    known: "Your answer had already been noted. The first one counts.",
    more: "If you like, tell us more:",
    close: "You can close this page.",
    dead: "This link cannot be used",
    deadMore:
      "A link to a survey is valid for a limited time. If you have already answered, there is nothing more to do.",
  },
  de: {
    question: "Wie zufrieden sind Sie mit der Hilfe von {who}?",
    lowest: "Gar nicht zufrieden",
    highest: "Sehr zufrieden",
    bad: "Nicht zufrieden",
    good: "Zufrieden",
    comment: "Möchten Sie uns mehr dazu sagen?",
    optional: "freiwillig",
    send: "Absenden",
    choose: "Bitte wählen Sie eine Antwort.",
    tooLong: "Bitte höchstens 2.000 Zeichen.",
    thanks: "Vielen Dank",
    noted: "Ihre Antwort ist notiert.",
    known: "Ihre Antwort war bereits notiert. Es zählt die erste.",
    more: "Wenn Sie möchten, sagen Sie uns mehr dazu:",
    close: "Sie können diese Seite schließen.",
    dead: "Dieser Link lässt sich nicht verwenden",
    deadMore:
      "Der Link zu einer Umfrage gilt nur für begrenzte Zeit. Falls Sie schon geantwortet haben, ist nichts weiter zu tun.",
  },
  fr: {
    question: "Êtes-vous satisfait de l’aide apportée par {who} ?",
    lowest: "Pas du tout satisfait",
    highest: "Très satisfait",
    bad: "Pas satisfait",
    good: "Satisfait",
    comment: "Souhaitez-vous nous en dire plus ?",
    optional: "facultatif",
    send: "Envoyer",
    choose: "Veuillez choisir une réponse.",
    tooLong: "2 000 caractères au maximum, s’il vous plaît.",
    thanks: "Merci",
    noted: "Votre réponse est enregistrée.",
    known: "Votre réponse était déjà enregistrée. C’est la première qui compte.",
    more: "Si vous le souhaitez, dites-nous-en plus :",
    close: "Vous pouvez fermer cette page.",
    dead: "Ce lien ne peut pas être utilisé",
    deadMore:
      "Le lien vers une enquête n’est valable que pendant un temps limité. Si vous avez déjà répondu, il n’y a plus rien à faire.",
  },
  es: {
    question: "¿Qué le ha parecido la ayuda de {who}?",
    lowest: "Muy mala",
    highest: "Muy buena",
    bad: "Mala",
    good: "Buena",
    comment: "¿Quiere contarnos más?",
    optional: "opcional",
    send: "Enviar",
    choose: "Elija una respuesta.",
    tooLong: "Como máximo, 2000 caracteres.",
    thanks: "Gracias",
    noted: "Hemos anotado su respuesta.",
    known: "Su respuesta ya estaba anotada. Cuenta la primera.",
    more: "Si lo desea, cuéntenos más:",
    close: "Puede cerrar esta página.",
    dead: "Este enlace no se puede usar",
    deadMore:
      "El enlace a una encuesta es válido durante un tiempo limitado. Si ya ha respondido, no tiene que hacer nada más.",
  },
  it: {
    question: "Come valuta l’assistenza ricevuta da {who}?",
    lowest: "Pessima",
    highest: "Ottima",
    bad: "Non buona",
    good: "Buona",
    comment: "Vuole dirci di più?",
    optional: "facoltativo",
    send: "Invia",
    choose: "Scelga una risposta.",
    tooLong: "Al massimo 2.000 caratteri.",
    thanks: "Grazie",
    noted: "La Sua risposta è stata registrata.",
    known: "La Sua risposta era già stata registrata. Conta la prima.",
    more: "Se lo desidera, ci dica di più:",
    close: "Può chiudere questa pagina.",
    dead: "Questo link non si può usare",
    deadMore: "Il link a un sondaggio è valido per un tempo limitato. Se ha già risposto, non c’è altro da fare.",
  },
  nl: {
    question: "Hoe tevreden bent u over de hulp van {who}?",
    lowest: "Helemaal niet tevreden",
    highest: "Zeer tevreden",
    bad: "Niet tevreden",
    good: "Tevreden",
    comment: "Wilt u er meer over vertellen?",
    optional: "niet verplicht",
    send: "Versturen",
    choose: "Kies een antwoord.",
    tooLong: "Gebruik ten hoogste 2.000 tekens.",
    thanks: "Bedankt",
    noted: "Uw antwoord is genoteerd.",
    known: "Uw antwoord was al genoteerd. Het eerste telt.",
    more: "Vertel er gerust meer over:",
    close: "U kunt deze pagina sluiten.",
    dead: "Deze link kan niet worden gebruikt",
    deadMore: "De link naar een enquête is beperkt geldig. Hebt u al geantwoord, dan hoeft u niets meer te doen.",
  },
  pt: {
    question: "Como avalia a ajuda que recebeu de {who}?",
    lowest: "Muito má",
    highest: "Muito boa",
    bad: "Má",
    good: "Boa",
    comment: "Quer dizer-nos mais?",
    optional: "opcional",
    send: "Enviar",
    choose: "Escolha uma resposta.",
    tooLong: "No máximo, 2000 caracteres.",
    thanks: "Obrigado",
    noted: "A sua resposta foi registada.",
    known: "A sua resposta já estava registada. Conta a primeira.",
    more: "Se quiser, diga-nos mais:",
    close: "Pode fechar esta página.",
    dead: "Este link não pode ser usado",
    deadMore: "O link para um inquérito é válido por tempo limitado. Se já respondeu, não há mais nada a fazer.",
  },
  da: {
    question: "Hvor tilfreds er du med den hjælp, du fik af {who}?",
    lowest: "Slet ikke tilfreds",
    highest: "Meget tilfreds",
    bad: "Ikke tilfreds",
    good: "Tilfreds",
    comment: "Vil du fortælle os mere?",
    optional: "valgfrit",
    send: "Send",
    choose: "Vælg et svar.",
    tooLong: "Brug højst 2.000 tegn.",
    thanks: "Tak",
    noted: "Dit svar er noteret.",
    known: "Dit svar var allerede noteret. Det første tæller.",
    more: "Fortæl os gerne mere:",
    close: "Du kan lukke denne side.",
    dead: "Dette link kan ikke bruges",
    deadMore: "Linket til en undersøgelse gælder i begrænset tid. Har du allerede svaret, skal du ikke gøre mere.",
  },
  sv: {
    question: "Hur nöjd är du med hjälpen från {who}?",
    lowest: "Inte alls nöjd",
    highest: "Mycket nöjd",
    bad: "Inte nöjd",
    good: "Nöjd",
    comment: "Vill du berätta mer?",
    optional: "frivilligt",
    send: "Skicka",
    choose: "Välj ett svar.",
    tooLong: "Använd högst 2 000 tecken.",
    thanks: "Tack",
    noted: "Ditt svar har sparats.",
    known: "Ditt svar var redan sparat. Det första gäller.",
    more: "Berätta gärna mer:",
    close: "Du kan stänga sidan.",
    dead: "Den här länken kan inte användas",
    deadMore:
      "Länken till en undersökning gäller under en begränsad tid. Har du redan svarat behöver du inte göra något mer.",
  },
  pl: {
    question: "Jak oceniasz pomoc ze strony {who}?",
    lowest: "Bardzo źle",
    highest: "Bardzo dobrze",
    bad: "Źle",
    good: "Dobrze",
    comment: "Chcesz powiedzieć nam więcej?",
    optional: "nieobowiązkowo",
    send: "Wyślij",
    choose: "Wybierz odpowiedź.",
    tooLong: "Najwyżej 2000 znaków.",
    thanks: "Dziękujemy",
    noted: "Odpowiedź została zapisana.",
    known: "Odpowiedź była już zapisana. Liczy się pierwsza.",
    more: "Jeśli chcesz, powiedz nam więcej:",
    close: "Możesz zamknąć tę stronę.",
    dead: "Tego linku nie można użyć",
    deadMore:
      "Link do ankiety jest ważny przez ograniczony czas. Jeśli odpowiedź została już wysłana, nic więcej nie trzeba robić.",
  },
};
const FALLBACK = "en";

const isSupported = (language: string): boolean => Object.hasOwn(TEXTS, language);

/** The first of these languages that is supported, otherwise English. */
const firstSupported = (languages: readonly string[]): string => languages.find(isSupported) ?? FALLBACK;

/** The first supported language of an `Accept-Language` header. */
export const preferredLanguage = (accepted = ""): string =>
  firstSupported(accepted.split(",").map((one) => one.trim().slice(0, 2).toLowerCase()));

export const surveyTexts = (language: string): SurveyTexts => TEXTS[firstSupported([language])]!;

/**
 * The question for a contact, in the first of their languages that has one: the workspace's own or the default.
 * @param languages the preferred one first
 * @returns with the language of the rest of the page
 */
export function questionFor({
  languages,
  questions,
  brand,
}: {
  languages: readonly string[];
  questions: Readonly<Record<string, string>>;
  brand: string;
}): { question: string; questionLanguage: string; language: string } {
  const wanted = [...languages, FALLBACK];
  const questionLanguage = wanted.find((language) => Object.hasOwn(questions, language) || isSupported(language))!;
  const question = Object.hasOwn(questions, questionLanguage)
    ? questions[questionLanguage]!
    : surveyTexts(questionLanguage).question.replaceAll("{who}", () => brand.replace(/\s+/g, " ").trim());
  return { question, questionLanguage, language: firstSupported(wanted) };
}
