/** The texts of the mail and the pages. `{link}` and `{minutes}` are placeholders in the mail. */
interface Texts {
  subject: string;
  mail: string;
  title: string;
  text: string;
  button: string;
  granted: string;
  denied: string;
  failed: string;
  over: string;
  again: string;
  elsewhere: string;
}

const TEXTS: Record<string, Texts> = {
  en: {
    subject: "Confirm who you are",
    mail: "Hello,\n\nplease confirm with your eID that it is you. The link can be used once, within {minutes} minutes:\n\n{link}\n\nIf you did not expect this, do nothing.\n",
    title: "Confirm who you are",
    text: "You will be taken to the provider of your eID. Only continue if you are in contact with us at this moment.",
    button: "Continue with eID",
    granted: "Thank you. You have confirmed who you are, and can close this page.",
    denied: "You declined. Nothing was confirmed, and you can close this page.",
    failed: "We could not confirm with this eID who you are. You can close this page.",
    over: "This link is not valid, or no longer. Ask for a new one where you were in contact with us.",
    again:
      "This is not confirmed yet. Reload this page in a moment; if nothing changes, open the link in our mail once more, or ask us for a new one.",
    elsewhere: "This was begun in another browser. Open the link in our mail once more, in this browser.",
  },
  de: {
    subject: "Bitte bestätigen Sie Ihre Identität",
    mail: "Guten Tag,\n\nbitte bestätigen Sie mit Ihrer eID, dass Sie es sind. Der Link kann innerhalb von {minutes} Minuten einmal verwendet werden:\n\n{link}\n\nWenn Sie das nicht erwarten, brauchen Sie nichts zu tun.\n",
    title: "Identität bestätigen",
    text: "Sie werden zum Anbieter Ihrer eID weitergeleitet. Fahren Sie nur fort, wenn Sie gerade mit uns in Kontakt sind.",
    button: "Weiter mit eID",
    granted: "Vielen Dank. Ihre Identität ist bestätigt, Sie können diese Seite schließen.",
    denied: "Sie haben abgelehnt. Nichts wurde bestätigt, Sie können diese Seite schließen.",
    failed: "Mit dieser eID konnten wir Ihre Identität nicht bestätigen. Sie können diese Seite schließen.",
    over: "Dieser Link ist nicht oder nicht mehr gültig. Bitten Sie dort, wo Sie mit uns in Kontakt waren, um einen neuen.",
    again:
      "Das ist noch nicht bestätigt. Laden Sie diese Seite gleich noch einmal; wenn sich nichts ändert, öffnen Sie den Link in unserer E-Mail erneut, oder bitten Sie uns um einen neuen.",
    elsewhere:
      "Das wurde in einem anderen Browser begonnen. Öffnen Sie den Link in unserer E-Mail noch einmal in diesem Browser.",
  },
  fr: {
    subject: "Confirmez votre identité",
    mail: "Bonjour,\n\nveuillez confirmer votre identité avec votre eID. Le lien peut être utilisé une fois, pendant {minutes} minutes :\n\n{link}\n\nSi vous n’attendiez pas ce message, ne faites rien.\n",
    title: "Confirmez votre identité",
    text: "Vous allez être dirigé vers le fournisseur de votre eID. Ne continuez que si vous êtes en contact avec nous en ce moment.",
    button: "Continuer avec l’eID",
    granted: "Merci. Votre identité est confirmée, vous pouvez fermer cette page.",
    denied: "Vous avez refusé. Rien n’a été confirmé, vous pouvez fermer cette page.",
    failed: "Nous n’avons pas pu confirmer votre identité avec cette eID. Vous pouvez fermer cette page.",
    over: "Ce lien n’est pas valable, ou ne l’est plus. Demandez-en un nouveau là où vous étiez en contact avec nous.",
    again:
      "Ce n’est pas encore confirmé. Rechargez cette page dans un instant ; si rien ne change, ouvrez encore une fois le lien de notre e-mail, ou demandez-en un nouveau.",
    elsewhere:
      "Ceci a été commencé dans un autre navigateur. Ouvrez encore une fois le lien de notre e-mail, dans ce navigateur.",
  },
  es: {
    subject: "Confirme su identidad",
    mail: "Hola:\n\nconfirme con su eID que es usted. El enlace puede usarse una vez, durante {minutes} minutos:\n\n{link}\n\nSi no esperaba este mensaje, no haga nada.\n",
    title: "Confirme su identidad",
    text: "Le llevaremos al proveedor de su eID. Continúe solo si está en contacto con nosotros en este momento.",
    button: "Continuar con eID",
    granted: "Gracias. Su identidad está confirmada y puede cerrar esta página.",
    denied: "Ha rechazado la solicitud. No se ha confirmado nada y puede cerrar esta página.",
    failed: "No hemos podido confirmar su identidad con esta eID. Puede cerrar esta página.",
    over: "Este enlace no es válido o ha dejado de serlo. Pida uno nuevo donde estaba en contacto con nosotros.",
    again:
      "Todavía no está confirmado. Vuelva a cargar esta página en un momento; si nada cambia, abra otra vez el enlace de nuestro correo o pídanos uno nuevo.",
    elsewhere: "Esto se inició en otro navegador. Abra otra vez el enlace de nuestro correo en este navegador.",
  },
  it: {
    subject: "Confermi la sua identità",
    mail: "Buongiorno,\n\nconfermi la sua identità con la sua eID. Il link può essere usato una volta, entro {minutes} minuti:\n\n{link}\n\nSe non si aspettava questo messaggio, non faccia nulla.\n",
    title: "Confermi la sua identità",
    text: "Sarà indirizzato al fornitore della sua eID. Continui solo se è in contatto con noi in questo momento.",
    button: "Continua con eID",
    granted: "Grazie. La sua identità è confermata e può chiudere questa pagina.",
    denied: "Ha rifiutato. Non è stato confermato nulla e può chiudere questa pagina.",
    failed: "Con questa eID non abbiamo potuto confermare la sua identità. Può chiudere questa pagina.",
    over: "Questo link non è valido, o non lo è più. Ne chieda uno nuovo dove era in contatto con noi.",
    again:
      "Non è ancora confermato. Ricarichi questa pagina tra un momento; se non cambia nulla, apra di nuovo il link nella nostra e-mail, o ce ne chieda uno nuovo.",
    elsewhere: "È stato iniziato in un altro browser. Apra di nuovo il link nella nostra e-mail in questo browser.",
  },
  nl: {
    subject: "Bevestig wie u bent",
    mail: "Hallo,\n\nbevestig met uw eID dat u het bent. De link kan één keer worden gebruikt, binnen {minutes} minuten:\n\n{link}\n\nVerwachtte u dit niet, dan hoeft u niets te doen.\n",
    title: "Bevestig wie u bent",
    text: "U gaat naar de aanbieder van uw eID. Ga alleen verder als u op dit moment contact met ons heeft.",
    button: "Verder met eID",
    granted: "Dank u. U heeft bevestigd wie u bent en kunt deze pagina sluiten.",
    denied: "U heeft geweigerd. Er is niets bevestigd en u kunt deze pagina sluiten.",
    failed: "Met deze eID konden we niet bevestigen wie u bent. U kunt deze pagina sluiten.",
    over: "Deze link is niet of niet meer geldig. Vraag een nieuwe waar u contact met ons had.",
    again:
      "Dit is nog niet bevestigd. Laad deze pagina zo nog een keer; verandert er niets, open dan de link in onze e-mail nog een keer of vraag ons om een nieuwe.",
    elsewhere: "Dit is in een andere browser begonnen. Open de link in onze e-mail nog een keer in deze browser.",
  },
};

export interface EidTexts extends Omit<Texts, "mail"> {
  lang: string;
  mail: (brand: string, link: string, minutes: number) => string;
}

/** The texts in the language, or in English if there are none in it. */
export function eidTexts(language: string): EidTexts {
  const lang = Object.hasOwn(TEXTS, language) ? language : "en";
  const texts = TEXTS[lang]!;
  return {
    ...texts,
    lang,
    mail: (brand, link, minutes) =>
      `${texts.mail.replace("{link}", link).replace("{minutes}", String(minutes))}\n${brand}\n`,
  };
}
