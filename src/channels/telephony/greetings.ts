import type { SpokenLanguage } from "./twiml.js";

/** What callers hear. */
export interface Greeting {
  language: SpokenLanguage;
  hello: string;
  connecting: string;
  leaveMessage: string;
  nobody: string;
  goodbye: string;
}

const GREETINGS: Record<string, Greeting> = {
  en: {
    language: "en-US",
    hello: "Hello, and thank you for calling.",
    connecting: "One moment, please.",
    leaveMessage: "Please leave a message after the tone, and press the hash key when you are done.",
    nobody: "Nobody can take your call at the moment. Please try again later.",
    goodbye: "Thank you. We will come back to you. Goodbye.",
  },
  de: {
    language: "de-DE",
    hello: "Guten Tag und vielen Dank für Ihren Anruf.",
    connecting: "Einen Moment, bitte.",
    leaveMessage: "Bitte hinterlassen Sie nach dem Ton eine Nachricht und drücken Sie am Ende die Rautetaste.",
    nobody: "Im Moment kann niemand Ihren Anruf annehmen. Bitte versuchen Sie es später noch einmal.",
    goodbye: "Vielen Dank. Wir melden uns bei Ihnen. Auf Wiederhören.",
  },
  fr: {
    language: "fr-FR",
    hello: "Bonjour et merci de votre appel.",
    connecting: "Un instant, s’il vous plaît.",
    leaveMessage: "Veuillez laisser un message après le signal sonore, puis appuyez sur la touche dièse.",
    nobody: "Personne ne peut prendre votre appel pour le moment. Veuillez rappeler plus tard.",
    goodbye: "Merci. Nous reviendrons vers vous. Au revoir.",
  },
  es: {
    language: "es-ES",
    hello: "Hola, gracias por su llamada.",
    connecting: "Un momento, por favor.",
    leaveMessage: "Deje un mensaje después de la señal y pulse la tecla almohadilla al terminar.",
    nobody: "En este momento nadie puede atender su llamada. Vuelva a intentarlo más tarde.",
    goodbye: "Gracias. Nos pondremos en contacto con usted. Adiós.",
  },
  it: {
    language: "it-IT",
    hello: "Buongiorno e grazie per la chiamata.",
    connecting: "Un momento, per favore.",
    leaveMessage: "Lasci un messaggio dopo il segnale acustico e prema il tasto cancelletto alla fine.",
    nobody: "Al momento nessuno può rispondere. La preghiamo di richiamare più tardi.",
    goodbye: "Grazie. La ricontatteremo. Arrivederci.",
  },
  nl: {
    language: "nl-NL",
    hello: "Goedendag en bedankt voor uw telefoontje.",
    connecting: "Een ogenblik, alstublieft.",
    leaveMessage: "Spreek na de toon een bericht in en druk op het hekje als u klaar bent.",
    nobody: "Op dit moment kan niemand uw oproep aannemen. Probeer het later nog eens.",
    goodbye: "Dank u wel. We nemen contact met u op. Tot ziens.",
  },
};

/** In the language, or in English. @param language ISO 639-1 */
export const greetingsIn = (language: string): Greeting => GREETINGS[language] ?? GREETINGS.en!;
