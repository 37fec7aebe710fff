import { fillTexts, magicLinkTexts, supportedLanguage } from "../magic-links/magic-link-texts.js";
import { oneLine, type Sender } from "../magic-links/magic-link-pages.js";

/** The texts around a code. `{who}` is the brand, `{minutes}` a duration with its unit. */
interface CodeTexts {
  subject: string;
  /** Introduces the code, which follows. */
  code: string;
  holds: string;
  keep: string;
  /** The whole text message. */
  text: string;
}

const TEXTS: Record<string, CodeTexts> = {
  en: {
    subject: "{who}: your code",
    code: "Your code is:",
    holds: "It works once and is valid for {minutes}.",
    keep: "Use it only in a conversation with {who} that you began yourself. If you are not in contact with {who} right now, do nothing, and give the code to nobody, even if somebody asks you for it.",
    text: "{who}: your code is {code}. Use it within {minutes}, and only in a conversation with us that you began yourself. Give it to nobody else.",
  },
  de: {
    subject: "{who}: Ihr Code",
    code: "Ihr Code lautet:",
    holds: "Er funktioniert einmal und gilt {minutes}.",
    keep: "Verwenden Sie ihn nur in einem Gespräch mit {who}, das Sie selbst begonnen haben. Wenn Sie gerade nicht mit {who} in Kontakt sind, tun Sie nichts und geben Sie den Code niemandem, auch nicht, wenn jemand Sie darum bittet.",
    text: "{who}: Ihr Code lautet {code}. Er gilt {minutes}. Verwenden Sie ihn nur in einem Gespräch mit uns, das Sie selbst begonnen haben. Geben Sie ihn niemandem sonst.",
  },
  fr: {
    subject: "{who} : votre code",
    code: "Votre code :",
    holds: "Il fonctionne une seule fois et reste valable {minutes}.",
    keep: "Ne l’utilisez que dans une conversation avec {who} que vous avez commencée vous-même. Si vous n’êtes pas en contact avec {who} en ce moment, ne faites rien et ne donnez ce code à personne, même si on vous le demande.",
    text: "{who} : votre code est {code}. Il est valable {minutes}. Ne l’utilisez que dans une conversation avec nous que vous avez commencée vous-même. Ne le donnez à personne d’autre.",
  },
  es: {
    subject: "{who}: su código",
    code: "Su código es:",
    holds: "Funciona una sola vez y es válido durante {minutes}.",
    keep: "Úselo solo en una conversación con {who} que haya iniciado usted. Si ahora mismo no está en contacto con {who}, no haga nada y no dé el código a nadie, aunque se lo pidan.",
    text: "{who}: su código es {code}. Es válido durante {minutes}. Úselo solo en una conversación con nosotros que haya iniciado usted. No se lo dé a nadie más.",
  },
  it: {
    subject: "{who}: il Suo codice",
    code: "Il Suo codice è:",
    holds: "Funziona una sola volta ed è valido per {minutes}.",
    keep: "Lo usi solo in una conversazione con {who} che ha iniziato Lei. Se in questo momento non è in contatto con {who}, non faccia nulla e non dia il codice a nessuno, nemmeno a chi glielo chiede.",
    text: "{who}: il Suo codice è {code}. È valido per {minutes}. Lo usi solo in una conversazione con noi che ha iniziato Lei. Non lo dia a nessun altro.",
  },
  nl: {
    subject: "{who}: uw code",
    code: "Uw code is:",
    holds: "De code werkt één keer en is {minutes} geldig.",
    keep: "Gebruik de code alleen in een gesprek met {who} dat u zelf bent begonnen. Hebt u nu geen contact met {who}? Doe dan niets en geef de code aan niemand, ook niet als iemand erom vraagt.",
    text: "{who}: uw code is {code}, {minutes} geldig. Gebruik de code alleen in een gesprek met ons dat u zelf bent begonnen. Geef de code aan niemand anders.",
  },
  pt: {
    subject: "{who}: o seu código",
    code: "O seu código é:",
    holds: "Funciona uma única vez e é válido durante {minutes}.",
    keep: "Use-o apenas numa conversa com {who} iniciada por si. Se não está a conversar com {who} neste momento, não faça nada e não dê o código a ninguém, mesmo que lho peçam.",
    text: "{who}: o seu código é {code}. É válido durante {minutes}. Use-o apenas numa conversa connosco iniciada por si. Não o dê a mais ninguém.",
  },
  da: {
    subject: "{who}: din kode",
    code: "Din kode er:",
    holds: "Den virker én gang og gælder i {minutes}.",
    keep: "Brug den kun i en samtale med {who}, som du selv har indledt. Hvis du ikke er i kontakt med {who} lige nu, skal du ikke gøre noget og ikke give koden til nogen, heller ikke hvis de beder om den.",
    text: "{who}: Din kode er {code}. Den gælder i {minutes}. Brug den kun i en samtale med os, som du selv har indledt. Giv den ikke til andre.",
  },
  sv: {
    subject: "{who}: din kod",
    code: "Din kod är:",
    holds: "Den fungerar en gång och gäller i {minutes}.",
    keep: "Använd den bara i ett samtal med {who} som du själv har börjat. Om du inte har kontakt med {who} just nu behöver du inte göra något. Ge inte koden till någon, inte heller om de ber om den.",
    text: "{who}: din kod är {code}. Den gäller i {minutes}. Använd den bara i ett samtal med oss som du själv har börjat. Ge den inte till någon annan.",
  },
  pl: {
    subject: "{who}: Twój kod",
    code: "Twój kod:",
    holds: "Działa jeden raz. Ważność: {minutes}.",
    keep: "Użyj go tylko w rozmowie z firmą {who}, którą rozpoczęto z Twojej strony. Jeśli nie kontaktujesz się teraz z firmą {who}, nic nie rób i nikomu nie podawaj kodu, nawet jeśli ktoś o niego poprosi.",
    text: "{who}: Twój kod to {code}. Ważność: {minutes}. Użyj go tylko w rozmowie z nami, którą rozpoczęto z Twojej strony. Nie podawaj go nikomu innemu.",
  },
};

/** What is sent: as a mail, or as a text. */
export function codeMessage(
  { brand, workspace, language }: Sender,
  code: string,
  minutes: number,
): { subject: string; body: string; text: string } {
  const [who, from] = [brand, workspace].map(oneLine) as [string, string];
  const values = { who, minutes, code };
  const { hello, why } = magicLinkTexts(language, values);
  const texts = fillTexts(TEXTS, supportedLanguage(language), values);
  const names = [...new Set([who, from])].join("\n");
  return {
    subject: texts.subject,
    body: `${[hello, why, texts.code, code, texts.holds, texts.keep].join("\n\n")}\n\n-- \n${names}\n`,
    text: texts.text,
  };
}
