/** What the widget says. `{n}` is a number. */
export interface Words {
  open: string; close: string; chat: string; greeting: string; write: string; send: string; attach: string; remove: string;
  sending: string; sent: string; failed: string; retry: string; offline: string; older: string; unread: string; you: string;
  tooLarge: string; refused: string; slow: string; uploading: string; over: string;
}

export const WORDS: Record<string, Words> & { en: Words } = {
  en: {
    open: 'Open chat', close: 'Close chat', chat: 'Chat', greeting: 'Hello! How can we help you?', write: 'Write a message', send: 'Send', attach: 'Attach a file', remove: 'Remove',
    sending: 'Sending…', sent: 'Sent', failed: 'Not sent', retry: 'Try again', offline: 'No connection. We keep trying…', older: 'Earlier messages', unread: 'new: {n}', you: 'You',
    tooLarge: 'The file is too large: {n} MB at most', refused: 'This file cannot be sent', slow: 'That was a lot at once. Please wait a moment.', uploading: 'Uploading…', over: 'This chat has ended. Please reload the page.',
  },
  de: {
    open: 'Chat öffnen', close: 'Chat schließen', chat: 'Chat', greeting: 'Guten Tag! Wie können wir Ihnen helfen?', write: 'Nachricht schreiben', send: 'Senden', attach: 'Datei anhängen', remove: 'Entfernen',
    sending: 'Wird gesendet…', sent: 'Gesendet', failed: 'Nicht gesendet', retry: 'Erneut versuchen', offline: 'Keine Verbindung. Wir versuchen es weiter…', older: 'Frühere Nachrichten', unread: 'neu: {n}', you: 'Sie',
    tooLarge: 'Die Datei ist zu groß: höchstens {n} MB', refused: 'Diese Datei kann nicht gesendet werden', slow: 'Das war viel auf einmal. Bitte warten Sie einen Moment.', uploading: 'Wird hochgeladen…', over: 'Dieser Chat ist beendet. Bitte laden Sie die Seite neu.',
  },
  fr: {
    open: 'Ouvrir le chat', close: 'Fermer le chat', chat: 'Chat', greeting: 'Bonjour ! Comment pouvons-nous vous aider ?', write: 'Écrire un message', send: 'Envoyer', attach: 'Joindre un fichier', remove: 'Retirer',
    sending: 'Envoi…', sent: 'Envoyé', failed: 'Non envoyé', retry: 'Réessayer', offline: 'Pas de connexion. Nous réessayons…', older: 'Messages précédents', unread: 'nouveaux : {n}', you: 'Vous',
    tooLarge: 'Le fichier est trop volumineux : {n} Mo au maximum', refused: 'Ce fichier ne peut pas être envoyé', slow: 'Cela fait beaucoup à la fois. Veuillez patienter un instant.', uploading: 'Téléversement…', over: 'Ce chat est terminé. Veuillez recharger la page.',
  },
  es: {
    open: 'Abrir el chat', close: 'Cerrar el chat', chat: 'Chat', greeting: '¡Hola! ¿En qué podemos ayudarle?', write: 'Escribir un mensaje', send: 'Enviar', attach: 'Adjuntar un archivo', remove: 'Quitar',
    sending: 'Enviando…', sent: 'Enviado', failed: 'No enviado', retry: 'Reintentar', offline: 'Sin conexión. Seguimos intentándolo…', older: 'Mensajes anteriores', unread: 'nuevos: {n}', you: 'Usted',
    tooLarge: 'El archivo es demasiado grande: {n} MB como máximo', refused: 'Este archivo no se puede enviar', slow: 'Han sido muchos a la vez. Espere un momento.', uploading: 'Subiendo…', over: 'Este chat ha terminado. Vuelva a cargar la página.',
  },
  nl: {
    open: 'Chat openen', close: 'Chat sluiten', chat: 'Chat', greeting: 'Hallo! Waarmee kunnen we u helpen?', write: 'Schrijf een bericht', send: 'Versturen', attach: 'Bestand toevoegen', remove: 'Verwijderen',
    sending: 'Wordt verstuurd…', sent: 'Verstuurd', failed: 'Niet verstuurd', retry: 'Opnieuw proberen', offline: 'Geen verbinding. We blijven het proberen…', older: 'Eerdere berichten', unread: 'nieuw: {n}', you: 'U',
    tooLarge: 'Het bestand is te groot: maximaal {n} MB', refused: 'Dit bestand kan niet worden verstuurd', slow: 'Dat was veel tegelijk. Wacht even.', uploading: 'Wordt geüpload…', over: 'Deze chat is beëindigd. Laad de pagina opnieuw.',
  },
  it: {
    open: 'Apri la chat', close: 'Chiudi la chat', chat: 'Chat', greeting: 'Buongiorno! Come possiamo aiutarLa?', write: 'Scrivi un messaggio', send: 'Invia', attach: 'Allega un file', remove: 'Rimuovi',
    sending: 'Invio…', sent: 'Inviato', failed: 'Non inviato', retry: 'Riprova', offline: 'Nessuna connessione. Continuiamo a provare…', older: 'Messaggi precedenti', unread: 'nuovi: {n}', you: 'Lei',
    tooLarge: 'Il file è troppo grande: {n} MB al massimo', refused: 'Questo file non può essere inviato', slow: 'Troppi messaggi insieme. Attenda un momento.', uploading: 'Caricamento…', over: 'Questa chat è terminata. Ricarichi la pagina.',
  },
  sv: {
    open: 'Öppna chatten', close: 'Stäng chatten', chat: 'Chatt', greeting: 'Hej! Hur kan vi hjälpa dig?', write: 'Skriv ett meddelande', send: 'Skicka', attach: 'Bifoga en fil', remove: 'Ta bort',
    sending: 'Skickas…', sent: 'Skickat', failed: 'Inte skickat', retry: 'Försök igen', offline: 'Ingen anslutning. Vi fortsätter försöka…', older: 'Tidigare meddelanden', unread: 'nya: {n}', you: 'Du',
    tooLarge: 'Filen är för stor: högst {n} MB', refused: 'Den här filen kan inte skickas', slow: 'Det blev mycket på en gång. Vänta en stund.', uploading: 'Laddas upp…', over: 'Chatten är avslutad. Ladda om sidan.',
  },
};
