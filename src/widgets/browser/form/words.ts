export interface Words {
  title: string; name: string; email: string; phone: string; subject: string; message: string; optional: string; send: string; sending: string;
  sent: string; thankYou: string; missing: string; wrongEmail: string; tooShort: string; agree: string; failed: string; wait: string;
}

export const WORDS: Record<string, Words> & { en: Words } = {
  en: {
    title: 'Write to us', name: 'Name', email: 'Email', phone: 'Phone', subject: 'Subject', message: 'Message', optional: 'optional', send: 'Send', sending: 'Sending…',
    sent: 'Your message was sent', thankYou: 'Thank you. We will answer by email.', missing: 'Please fill this in.', wrongEmail: 'Please enter an email address, such as name@example.com.', tooShort: 'Please enter the whole number.',
    agree: 'Please agree to this, or we cannot take your message.', failed: 'Your message could not be sent. It is still here: please try again in a moment.', wait: 'Too many messages were sent from here. Yours is still here: please try again in {n} min.',
  },
  de: {
    title: 'Schreiben Sie uns', name: 'Name', email: 'E-Mail', phone: 'Telefon', subject: 'Betreff', message: 'Nachricht', optional: 'optional', send: 'Senden', sending: 'Wird gesendet …',
    sent: 'Ihre Nachricht ist abgeschickt', thankYou: 'Vielen Dank. Wir antworten Ihnen per E-Mail.', missing: 'Bitte füllen Sie dieses Feld aus.', wrongEmail: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa name@example.com.', tooShort: 'Bitte geben Sie die ganze Nummer ein.',
    agree: 'Bitte stimmen Sie zu, sonst können wir Ihre Nachricht nicht annehmen.', failed: 'Ihre Nachricht konnte nicht gesendet werden. Sie steht noch hier: Bitte versuchen Sie es gleich noch einmal.', wait: 'Von hier kamen zu viele Nachrichten. Ihre steht noch hier: Bitte versuchen Sie es in {n} Min. noch einmal.',
  },
  fr: {
    title: 'Écrivez-nous', name: 'Nom', email: 'E-mail', phone: 'Téléphone', subject: 'Objet', message: 'Message', optional: 'facultatif', send: 'Envoyer', sending: 'Envoi en cours…',
    sent: 'Votre message a été envoyé', thankYou: 'Merci. Nous vous répondrons par e-mail.', missing: 'Veuillez remplir ce champ.', wrongEmail: 'Veuillez saisir une adresse e-mail, par exemple nom@example.com.', tooShort: 'Veuillez saisir le numéro complet.',
    agree: 'Sans votre accord, nous ne pouvons pas recevoir votre message.', failed: 'Votre message n’a pas pu être envoyé. Il est toujours là : réessayez dans un instant.', wait: 'Trop de messages ont été envoyés d’ici. Le vôtre est toujours là : réessayez dans {n} min.',
  },
  es: {
    title: 'Escríbanos', name: 'Nombre', email: 'Correo electrónico', phone: 'Teléfono', subject: 'Asunto', message: 'Mensaje', optional: 'opcional', send: 'Enviar', sending: 'Enviando…',
    sent: 'Su mensaje se ha enviado', thankYou: 'Gracias. Le responderemos por correo electrónico.', missing: 'Rellene este campo.', wrongEmail: 'Escriba una dirección de correo electrónico, por ejemplo nombre@example.com.', tooShort: 'Escriba el número completo.',
    agree: 'Sin su consentimiento no podemos recibir su mensaje.', failed: 'No se ha podido enviar su mensaje. Sigue aquí: inténtelo de nuevo en un momento.', wait: 'Se han enviado demasiados mensajes desde aquí. El suyo sigue aquí: inténtelo de nuevo en {n} min.',
  },
  nl: {
    title: 'Schrijf ons', name: 'Naam', email: 'E-mail', phone: 'Telefoon', subject: 'Onderwerp', message: 'Bericht', optional: 'optioneel', send: 'Versturen', sending: 'Wordt verstuurd…',
    sent: 'Uw bericht is verstuurd', thankYou: 'Bedankt. We antwoorden u per e-mail.', missing: 'Vul dit veld in.', wrongEmail: 'Vul een e-mailadres in, bijvoorbeeld naam@example.com.', tooShort: 'Vul het hele nummer in.',
    agree: 'Zonder uw akkoord kunnen we uw bericht niet aannemen.', failed: 'Uw bericht kon niet worden verstuurd. Het staat er nog: probeer het zo nog eens.', wait: 'Er zijn van hier te veel berichten verstuurd. Het uwe staat er nog: probeer het over {n} min. opnieuw.',
  },
  it: {
    title: 'Ci scriva', name: 'Nome', email: 'E-mail', phone: 'Telefono', subject: 'Oggetto', message: 'Messaggio', optional: 'facoltativo', send: 'Invia', sending: 'Invio in corso…',
    sent: 'Il suo messaggio è stato inviato', thankYou: 'Grazie. Le risponderemo per e-mail.', missing: 'Compili questo campo.', wrongEmail: 'Inserisca un indirizzo e-mail, ad esempio nome@example.com.', tooShort: 'Inserisca il numero completo.',
    agree: 'Senza il suo consenso non possiamo ricevere il messaggio.', failed: 'Non è stato possibile inviare il messaggio. È ancora qui: riprovi tra un momento.', wait: 'Da qui sono stati inviati troppi messaggi. Il suo è ancora qui: riprovi tra {n} min.',
  },
  sv: {
    title: 'Skriv till oss', name: 'Namn', email: 'E-post', phone: 'Telefon', subject: 'Ämne', message: 'Meddelande', optional: 'valfritt', send: 'Skicka', sending: 'Skickar…',
    sent: 'Ditt meddelande är skickat', thankYou: 'Tack. Vi svarar dig via e-post.', missing: 'Fyll i det här fältet.', wrongEmail: 'Ange en e-postadress, till exempel namn@example.com.', tooShort: 'Ange hela numret.',
    agree: 'Utan ditt godkännande kan vi inte ta emot meddelandet.', failed: 'Ditt meddelande kunde inte skickas. Det står kvar här: försök igen om en stund.', wait: 'För många meddelanden har skickats härifrån. Ditt står kvar här: försök igen om {n} min.',
  },
};
