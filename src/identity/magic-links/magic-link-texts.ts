/**
 * The texts of the mail or text message, of the pages behind its link, and of the message in the conversation. `{who}` is the
 * brand, `{minutes}` a duration with its unit, `{code}` the number of the link.
 */
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
  /** Above the number, and below it. */
  sameCode: string;
  otherCode: string;
  /** The label of the field for the number. */
  enterCode: string;
  wrongCode: string;
  /** In the conversation. */
  announced: string;
  announcedToEnter: string;
  done: string;
  doneMore: string;
  /** After a link to an address that is too new to show who the person is. */
  doneAddress: string;
  dead: string;
  deadMore: string;
  /** The whole text message. */
  text: string;
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
    sameCode: "You were given this number in your conversation:",
    otherCode:
      "Were you given another number, or none? Then close this page: the link belongs to somebody else’s conversation.",
    enterCode: "The number that you were given in your conversation",
    wrongCode: "This is not the number. After three wrong numbers the link no longer works.",
    announced:
      "We have sent you a link to confirm that it is you. The page behind it shows the number {code}. If it shows another number, do not press the button.",
    announcedToEnter:
      "We have sent you a link to confirm that it is you. The page behind it asks for this number: {code}",
    doneAddress:
      "You have confirmed that our message reached you. You can close this page and go on with your conversation.",
    text: "{who}: open this page to confirm that it is you: {link} It is valid for {minutes}. If you are not in contact with us right now, do nothing.",
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
    sameCode: "Diese Zahl haben Sie in Ihrem Gespräch bekommen:",
    otherCode:
      "Haben Sie eine andere Zahl bekommen oder keine? Dann schließen Sie diese Seite: Der Link gehört zum Gespräch einer anderen Person.",
    enterCode: "Die Zahl, die Sie in Ihrem Gespräch bekommen haben",
    wrongCode: "Das ist nicht die Zahl. Nach drei falschen Zahlen funktioniert der Link nicht mehr.",
    announced:
      "Wir haben Ihnen einen Link geschickt, mit dem Sie bestätigen, dass Sie es sind. Die Seite dahinter zeigt die Zahl {code}. Zeigt sie eine andere Zahl, drücken Sie nicht auf den Knopf.",
    announcedToEnter:
      "Wir haben Ihnen einen Link geschickt, mit dem Sie bestätigen, dass Sie es sind. Die Seite dahinter fragt nach dieser Zahl: {code}",
    doneAddress:
      "Sie haben bestätigt, dass unsere Nachricht bei Ihnen angekommen ist. Sie können diese Seite schließen und Ihr Gespräch fortsetzen.",
    text: "{who}: Bestätigen Sie auf dieser Seite, dass Sie es sind: {link} Sie gilt {minutes}. Wenn Sie gerade nicht mit uns in Kontakt sind, tun Sie nichts.",
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
    sameCode: "Ce nombre vous a été donné dans votre conversation :",
    otherCode:
      "On vous a donné un autre nombre, ou aucun ? Fermez cette page : le lien appartient à la conversation de quelqu’un d’autre.",
    enterCode: "Le nombre qui vous a été donné dans votre conversation",
    wrongCode: "Ce n’est pas le bon nombre. Après trois erreurs, le lien ne fonctionne plus.",
    announced:
      "Nous vous avons envoyé un lien pour confirmer que c’est bien vous. La page affiche le nombre {code}. Si elle en affiche un autre, n’appuyez pas sur le bouton.",
    announcedToEnter:
      "Nous vous avons envoyé un lien pour confirmer que c’est bien vous. La page vous demandera ce nombre : {code}",
    doneAddress:
      "Vous avez confirmé que notre message vous est parvenu. Vous pouvez fermer cette page et poursuivre votre conversation.",
    text: "{who} : confirmez sur cette page que c’est bien vous : {link} Elle est valable {minutes}. Si vous n’êtes pas en contact avec nous en ce moment, ne faites rien.",
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
    sameCode: "En su conversación le han dado este número:",
    otherCode:
      "¿Le han dado otro número, o ninguno? Entonces cierre esta página: el enlace pertenece a la conversación de otra persona.",
    enterCode: "El número que le han dado en su conversación",
    wrongCode: "Ese no es el número. Tras tres números incorrectos, el enlace deja de funcionar.",
    announced:
      "Le hemos enviado un enlace para confirmar que es usted. La página muestra el número {code}. Si muestra otro, no pulse el botón.",
    announcedToEnter: "Le hemos enviado un enlace para confirmar que es usted. La página le pedirá este número: {code}",
    doneAddress:
      "Ha confirmado que nuestro mensaje le ha llegado. Puede cerrar esta página y continuar con su conversación.",
    text: "{who}: confirme en esta página que es usted: {link} Es válida durante {minutes}. Si ahora mismo no está en contacto con nosotros, no haga nada.",
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
    sameCode: "Nella conversazione ha ricevuto questo numero:",
    otherCode:
      "Ha ricevuto un altro numero, o nessuno? Allora chiuda questa pagina: il link appartiene alla conversazione di un’altra persona.",
    enterCode: "Il numero che ha ricevuto nella conversazione",
    wrongCode: "Il numero non è questo. Dopo tre numeri sbagliati il link non funziona più.",
    announced:
      "Le abbiamo inviato un link per confermare che è Lei. La pagina mostra il numero {code}. Se ne mostra un altro, non prema il pulsante.",
    announcedToEnter:
      "Le abbiamo inviato un link per confermare che è Lei. La pagina Le chiederà questo numero: {code}",
    doneAddress:
      "Ha confermato di avere ricevuto il nostro messaggio. Può chiudere questa pagina e proseguire la conversazione.",
    text: "{who}: confermi su questa pagina che è Lei: {link} È valida per {minutes}. Se in questo momento non è in contatto con noi, non faccia nulla.",
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
    sameCode: "Dit getal hebt u in uw gesprek gekregen:",
    otherCode:
      "Hebt u een ander getal gekregen, of geen? Sluit dan deze pagina: de link hoort bij het gesprek van iemand anders.",
    enterCode: "Het getal dat u in uw gesprek hebt gekregen",
    wrongCode: "Dit is niet het getal. Na drie verkeerde getallen werkt de link niet meer.",
    announced:
      "We hebben u een link gestuurd om te bevestigen dat u het bent. De pagina toont het getal {code}. Staat er een ander getal, druk dan niet op de knop.",
    announcedToEnter:
      "We hebben u een link gestuurd om te bevestigen dat u het bent. De pagina vraagt om dit getal: {code}",
    doneAddress:
      "U hebt bevestigd dat ons bericht u heeft bereikt. U kunt deze pagina sluiten en verdergaan met uw gesprek.",
    text: "{who}: bevestig op deze pagina dat u het bent: {link} De pagina is {minutes} geldig. Hebt u nu geen contact met ons? Doe dan niets.",
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
    sameCode: "Na sua conversa, recebeu este número:",
    otherCode: "Recebeu outro número, ou nenhum? Então feche esta página: o link pertence à conversa de outra pessoa.",
    enterCode: "O número que recebeu na sua conversa",
    wrongCode: "Não é esse o número. Depois de três números errados, o link deixa de funcionar.",
    announced:
      "Enviámos-lhe um link para confirmar a sua identidade. A página mostra o número {code}. Se mostrar outro, não clique no botão.",
    announcedToEnter: "Enviámos-lhe um link para confirmar a sua identidade. A página pede este número: {code}",
    doneAddress: "Confirmou que recebeu a nossa mensagem. Pode fechar esta página e continuar a conversa.",
    text: "{who}: confirme a sua identidade nesta página: {link} É válida durante {minutes}. Se não está em contacto connosco neste momento, não faça nada.",
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
    sameCode: "Du har fået dette tal i samtalen:",
    otherCode: "Har du fået et andet tal eller slet ikke noget? Så luk denne side: Linket hører til en andens samtale.",
    enterCode: "Det tal, du har fået i samtalen",
    wrongCode: "Det er ikke tallet. Efter tre forkerte tal virker linket ikke længere.",
    announced:
      "Vi har sendt dig et link, så du kan bekræfte, at det er dig. Siden viser tallet {code}. Viser den et andet tal, skal du ikke trykke på knappen.",
    announcedToEnter: "Vi har sendt dig et link, så du kan bekræfte, at det er dig. Siden beder om dette tal: {code}",
    doneAddress: "Du har bekræftet, at vores besked nåede frem til dig. Du kan lukke denne side og fortsætte samtalen.",
    text: "{who}: Bekræft på denne side, at det er dig: {link} Den gælder i {minutes}. Hvis du ikke er i kontakt med os lige nu, skal du ikke gøre noget.",
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
    sameCode: "Du har fått det här talet i samtalet:",
    otherCode:
      "Har du fått ett annat tal, eller inget alls? Stäng då den här sidan: länken hör till någon annans samtal.",
    enterCode: "Talet som du har fått i samtalet",
    wrongCode: "Det är inte talet. Efter tre felaktiga tal fungerar länken inte längre.",
    announced:
      "Vi har skickat en länk så att du kan bekräfta att det är du. Sidan visar talet {code}. Om den visar ett annat tal ska du inte trycka på knappen.",
    announcedToEnter:
      "Vi har skickat en länk så att du kan bekräfta att det är du. Sidan frågar efter det här talet: {code}",
    doneAddress: "Du har bekräftat att vårt meddelande nådde dig. Du kan stänga sidan och fortsätta samtalet.",
    text: "{who}: bekräfta på den här sidan att det är du: {link} Den gäller i {minutes}. Om du inte har kontakt med oss just nu behöver du inte göra något.",
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
    sameCode: "W rozmowie podano Ci tę liczbę:",
    otherCode: "Podano Ci inną liczbę albo żadnej? Zamknij tę stronę: link należy do rozmowy innej osoby.",
    enterCode: "Liczba, którą podano Ci w rozmowie",
    wrongCode: "To nie ta liczba. Po trzech błędnych liczbach link przestaje działać.",
    announced:
      "Wysłaliśmy link do potwierdzenia, że to Ty. Strona pokazuje liczbę {code}. Jeśli pokazuje inną, nie naciskaj przycisku.",
    announcedToEnter: "Wysłaliśmy link do potwierdzenia, że to Ty. Strona poprosi o tę liczbę: {code}",
    doneAddress: "Potwierdzono, że nasza wiadomość do Ciebie dotarła. Możesz zamknąć tę stronę i wrócić do rozmowy.",
    text: "{who}: potwierdź na tej stronie, że to Ty: {link} Ważność: {minutes}. Jeśli nie kontaktujesz się teraz z nami, nic nie rób.",
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

interface Values {
  who?: string;
  minutes?: number;
  code?: string;
  link?: string;
}

/** Fills the placeholders of texts in a language. */
export function fillTexts<Texts extends object>(
  texts: Readonly<Record<string, Texts>>,
  language: string,
  { minutes = 0, ...values }: Values,
): Texts {
  const lang = supportedLanguage(language);
  const filled: Record<string, string | undefined> = {
    ...values,
    minutes: new Intl.NumberFormat(lang, { style: "unit", unit: "minute", unitDisplay: "long" }).format(minutes),
  };
  const fill = (text: string): string => text.replace(/\{(\w+)\}/g, (_, name: string) => filled[name] ?? "");
  return Object.fromEntries(
    Object.entries(texts[lang]!).map(([name, text]: [string, string]) => [name, fill(text)]),
  ) as Texts;
}

/** The texts in a language, with the placeholders filled in. */
export const magicLinkTexts = (language: string, values: Values = {}): MagicLinkTexts =>
  fillTexts(TEXTS, language, values);
