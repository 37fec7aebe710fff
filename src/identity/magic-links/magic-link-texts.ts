/** The texts of the mail and of the pages behind its link. `{who}` is the brand, `{minutes}` a duration with its unit. */
interface MagicLinkTexts {
  subject: string;
  hello: string;
  /** Why the person gets this mail. */
  why: string;
  /** Introduces the link, which follows. */
  open: string;
  holds: string;
  notYou: string;
  title: string;
  /** What the button does and does not do. */
  effect: string;
  button: string;
  notYouHere: string;
  done: string;
  doneMore: string;
  dead: string;
  deadMore: string;
}

const TEXTS: Record<string, MagicLinkTexts> = {
  en: {
    subject: "{who}: please confirm that it is you",
    hello: "Hello,",
    why: "{who} would like to be sure that it is you they are in contact with.",
    open: "Open this page and press the button on it:",
    holds: "The link works once and is valid for {minutes}.",
    notYou:
      "If you are not in contact with {who} right now, do nothing: without the button nothing happens. Do not pass the link on, even if somebody asks you to.",
    title: "Is it you?",
    effect: "The button confirms this and nothing else: you order nothing and agree to nothing.",
    button: "Yes, it is me",
    notYouHere: "Not in contact with {who} right now? Then close this page: without the button nothing happens.",
    done: "Thank you",
    doneMore: "It is confirmed that it is you. You can close this page and go on with your conversation.",
    dead: "This link cannot be used",
    deadMore:
      "A link works once, for a short time, and only until a newer one is sent. If you have already confirmed with it, there is nothing more to do. Otherwise ask for a new one in your conversation.",
  },
  de: {
    subject: "{who}: Bitte bestätigen Sie, dass Sie es sind",
    hello: "Guten Tag,",
    why: "{who} möchte sicher sein, wirklich mit Ihnen in Kontakt zu sein.",
    open: "Öffnen Sie diese Seite und drücken Sie dort auf den Knopf:",
    holds: "Der Link funktioniert einmal und gilt {minutes}.",
    notYou:
      "Wenn Sie gerade nicht mit {who} in Kontakt sind, tun Sie nichts: Ohne den Knopf passiert nichts. Geben Sie den Link nicht weiter, auch nicht, wenn jemand Sie darum bittet.",
    title: "Sind Sie es?",
    effect: "Der Knopf bestätigt das und sonst nichts: Sie bestellen nichts und stimmen nichts zu.",
    button: "Ja, ich bin es",
    notYouHere:
      "Sie sind gerade nicht mit {who} in Kontakt? Dann schließen Sie diese Seite: Ohne den Knopf passiert nichts.",
    done: "Vielen Dank",
    doneMore: "Es ist bestätigt, dass Sie es sind. Sie können diese Seite schließen und Ihr Gespräch fortsetzen.",
    dead: "Dieser Link lässt sich nicht verwenden",
    deadMore:
      "Ein Link funktioniert einmal, für kurze Zeit und nur, bis ein neuerer verschickt wird. Falls Sie damit schon bestätigt haben, ist nichts weiter zu tun. Sonst bitten Sie in Ihrem Gespräch um einen neuen.",
  },
  fr: {
    subject: "{who} : confirmez que c’est bien vous",
    hello: "Bonjour,",
    why: "{who} souhaite s’assurer d’être bien en contact avec vous.",
    open: "Ouvrez cette page et appuyez sur le bouton :",
    holds: "Le lien fonctionne une seule fois et reste valable {minutes}.",
    notYou:
      "Si vous n’êtes pas en contact avec {who} en ce moment, ne faites rien : sans le bouton, il ne se passe rien. Ne transmettez pas ce lien, même si on vous le demande.",
    title: "Est-ce bien vous ?",
    effect: "Le bouton confirme cela et rien d’autre : vous ne commandez rien et n’acceptez rien.",
    button: "Oui, c’est moi",
    notYouHere:
      "Vous n’êtes pas en contact avec {who} en ce moment ? Fermez cette page : sans le bouton, il ne se passe rien.",
    done: "Merci",
    doneMore: "Il est confirmé que c’est bien vous. Vous pouvez fermer cette page et poursuivre votre conversation.",
    dead: "Ce lien ne peut pas être utilisé",
    deadMore:
      "Un lien fonctionne une seule fois, pendant peu de temps et seulement jusqu’à l’envoi d’un plus récent. Si vous avez déjà confirmé avec celui-ci, il n’y a plus rien à faire. Sinon, demandez-en un nouveau dans votre conversation.",
  },
  es: {
    subject: "{who}: confirme que es usted",
    hello: "Hola:",
    why: "{who} quiere asegurarse de que está en contacto con usted.",
    open: "Abra esta página y pulse el botón:",
    holds: "El enlace funciona una sola vez y es válido durante {minutes}.",
    notYou:
      "Si ahora mismo no está en contacto con {who}, no haga nada: sin el botón no ocurre nada. No comparta el enlace, aunque se lo pidan.",
    title: "¿Es usted?",
    effect: "El botón confirma eso y nada más: no encarga nada ni acepta nada.",
    button: "Sí, soy yo",
    notYouHere: "¿No está en contacto con {who} ahora mismo? Entonces cierre esta página: sin el botón no ocurre nada.",
    done: "Gracias",
    doneMore: "Queda confirmado que es usted. Puede cerrar esta página y continuar con su conversación.",
    dead: "Este enlace no se puede usar",
    deadMore:
      "Un enlace funciona una sola vez, durante poco tiempo y solo hasta que se envía otro más reciente. Si ya ha confirmado con él, no tiene que hacer nada más. Si no, pida uno nuevo en su conversación.",
  },
  it: {
    subject: "{who}: confermi che è Lei",
    hello: "Buongiorno,",
    why: "{who} desidera accertarsi di essere in contatto proprio con Lei.",
    open: "Apra questa pagina e prema il pulsante:",
    holds: "Il link funziona una sola volta ed è valido per {minutes}.",
    notYou:
      "Se in questo momento non è in contatto con {who}, non faccia nulla: senza il pulsante non succede nulla. Non inoltri il link, nemmeno a chi glielo chiede.",
    title: "È Lei?",
    effect: "Il pulsante conferma questo e nient’altro: non ordina nulla e non accetta nulla.",
    button: "Sì, sono io",
    notYouHere:
      "Non è in contatto con {who} in questo momento? Allora chiuda questa pagina: senza il pulsante non succede nulla.",
    done: "Grazie",
    doneMore: "È confermato che è Lei. Può chiudere questa pagina e proseguire la conversazione.",
    dead: "Questo link non si può usare",
    deadMore:
      "Un link funziona una sola volta, per poco tempo e solo finché non ne viene inviato uno più recente. Se ha già confermato con questo, non c’è altro da fare. Altrimenti ne chieda uno nuovo nella conversazione.",
  },
  nl: {
    subject: "{who}: bevestig dat u het bent",
    hello: "Hallo,",
    why: "{who} wil zeker weten echt met u in contact te zijn.",
    open: "Open deze pagina en druk op de knop:",
    holds: "De link werkt één keer en is {minutes} geldig.",
    notYou:
      "Hebt u nu geen contact met {who}? Doe dan niets: zonder de knop gebeurt er niets. Geef de link niet door, ook niet als iemand erom vraagt.",
    title: "Bent u het?",
    effect: "De knop bevestigt dit en verder niets: u bestelt niets en gaat nergens mee akkoord.",
    button: "Ja, ik ben het",
    notYouHere: "Hebt u nu geen contact met {who}? Sluit dan deze pagina: zonder de knop gebeurt er niets.",
    done: "Bedankt",
    doneMore: "Het is bevestigd dat u het bent. U kunt deze pagina sluiten en verdergaan met uw gesprek.",
    dead: "Deze link kan niet worden gebruikt",
    deadMore:
      "Een link werkt één keer, voor korte tijd en alleen tot er een nieuwere wordt verstuurd. Hebt u er al mee bevestigd, dan hoeft u niets meer te doen. Vraag anders in uw gesprek om een nieuwe.",
  },
  pt: {
    subject: "{who}: confirme a sua identidade",
    hello: "Olá,",
    why: "{who} quer ter a certeza de que esta conversa é mesmo consigo.",
    open: "Abra esta página e clique no botão:",
    holds: "O link funciona uma única vez e é válido durante {minutes}.",
    notYou:
      "Se não está a conversar com {who} neste momento, não faça nada: sem o botão, nada acontece. Não envie o link a ninguém, mesmo que lho peçam.",
    title: "É mesmo você?",
    effect: "O botão confirma isso e nada mais: não encomenda nada nem aceita nada.",
    button: "Sim, sou eu",
    notYouHere: "Não está a conversar com {who} neste momento? Então feche esta página: sem o botão, nada acontece.",
    done: "Confirmado",
    doneMore: "A sua identidade está confirmada. Pode fechar esta página e continuar a conversa.",
    dead: "Este link não pode ser usado",
    deadMore:
      "Um link funciona uma única vez, por pouco tempo e só até ser enviado um mais recente. Se já confirmou com ele, não há mais nada a fazer. Caso contrário, peça um novo na sua conversa.",
  },
  da: {
    subject: "{who}: bekræft, at det er dig",
    hello: "Hej,",
    why: "{who} vil gerne være sikker på, at det er dig, de er i kontakt med.",
    open: "Åbn denne side, og tryk på knappen:",
    holds: "Linket virker én gang og gælder i {minutes}.",
    notYou:
      "Hvis du ikke er i kontakt med {who} lige nu, skal du ikke gøre noget: Uden knappen sker der ingenting. Giv ikke linket videre, heller ikke hvis nogen beder om det.",
    title: "Er det dig?",
    effect: "Knappen bekræfter dette og ikke andet: Du bestiller ikke noget og siger ikke ja til noget.",
    button: "Ja, det er mig",
    notYouHere: "Er du ikke i kontakt med {who} lige nu? Så luk denne side: Uden knappen sker der ingenting.",
    done: "Tak",
    doneMore: "Det er bekræftet, at det er dig. Du kan lukke denne side og fortsætte samtalen.",
    dead: "Dette link kan ikke bruges",
    deadMore:
      "Et link virker én gang, i kort tid og kun, indtil der sendes et nyere. Har du allerede bekræftet med det, skal du ikke gøre mere. Ellers kan du bede om et nyt i samtalen.",
  },
  sv: {
    subject: "{who}: bekräfta att det är du",
    hello: "Hej!",
    why: "{who} vill vara säker på att det är du som de har kontakt med.",
    open: "Öppna den här sidan och tryck på knappen:",
    holds: "Länken fungerar en gång och gäller i {minutes}.",
    notYou:
      "Om du inte har kontakt med {who} just nu behöver du inte göra något: utan knappen händer ingenting. Ge inte länken vidare, inte heller om någon ber om den.",
    title: "Är det du?",
    effect: "Knappen bekräftar detta och inget annat: du beställer inget och godkänner inget.",
    button: "Ja, det är jag",
    notYouHere: "Har du inte kontakt med {who} just nu? Stäng då den här sidan: utan knappen händer ingenting.",
    done: "Tack",
    doneMore: "Det är bekräftat att det är du. Du kan stänga sidan och fortsätta samtalet.",
    dead: "Den här länken kan inte användas",
    deadMore:
      "En länk fungerar en gång, under en kort tid och bara tills en nyare skickas. Om du redan har bekräftat med den behöver du inte göra något mer. Be annars om en ny i samtalet.",
  },
  pl: {
    subject: "{who}: potwierdź, że to Ty",
    hello: "Dzień dobry,",
    why: "Firma {who} chce mieć pewność, że rozmawia właśnie z Tobą.",
    open: "Otwórz tę stronę i naciśnij przycisk:",
    holds: "Link działa jeden raz. Ważność: {minutes}.",
    notYou:
      "Jeśli nie kontaktujesz się teraz z firmą {who}, nic nie rób: bez naciśnięcia przycisku nic się nie stanie. Nie przekazuj tego linku, nawet jeśli ktoś o to poprosi.",
    title: "Czy to Ty?",
    effect: "Przycisk potwierdza to i nic więcej: niczego nie zamawiasz i na nic się nie zgadzasz.",
    button: "Tak, to ja",
    notYouHere:
      "Nie kontaktujesz się teraz z firmą {who}? Zamknij tę stronę: bez naciśnięcia przycisku nic się nie stanie.",
    done: "Dziękujemy",
    doneMore: "Potwierdzono, że to Ty. Możesz zamknąć tę stronę i wrócić do rozmowy.",
    dead: "Tego linku nie można użyć",
    deadMore:
      "Link działa jeden raz, przez krótki czas i tylko do wysłania nowszego. Jeśli już nim potwierdzono, nic więcej nie trzeba robić. W przeciwnym razie poproś o nowy w rozmowie.",
  },
};
const FALLBACK = "en";

/** The language itself if there are texts in it, otherwise English. */
export const supportedLanguage = (language: string): string => (Object.hasOwn(TEXTS, language) ? language : FALLBACK);

/** The first language in an `Accept-Language` header that there are texts in. */
export function preferredLanguage(acceptLanguage = ""): string {
  const languages = acceptLanguage.split(",").map((one) => one.trim().slice(0, 2).toLowerCase());
  return languages.find((language) => Object.hasOwn(TEXTS, language)) ?? FALLBACK;
}

/** The texts in a language, with the placeholders filled in. */
export function magicLinkTexts(language: string, values: { who?: string; minutes?: number } = {}): MagicLinkTexts {
  const lang = supportedLanguage(language);
  const { who = "", minutes = 0 } = values;
  const filled: Record<string, string> = {
    who,
    minutes: new Intl.NumberFormat(lang, { style: "unit", unit: "minute", unitDisplay: "long" }).format(minutes),
  };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => filled[name]!);
  return Object.fromEntries(
    Object.entries(TEXTS[lang]!).map(([name, text]: [string, string]) => [name, fill(text)]),
  ) as unknown as MagicLinkTexts;
}
