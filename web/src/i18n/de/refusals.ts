import type { Refusals } from "../refusals.js";

/** What the server says when it refuses something that members do here. */
export const refusals: Refusals = {
  shapes: [
    [/^must be longer than or equal to 1 characters$/, "Gib etwas ein"],
    [/^must be longer than or equal to (\d+) characters$/, "Gib mindestens $1 Zeichen ein"],
    [
      /^must be longer than or equal to (\d+) and shorter than or equal to (\d+) characters$/,
      "Gib $1 bis $2 Zeichen ein",
    ],
    [/^must be shorter than or equal to (\d+) characters$/, "Gib höchstens $1 Zeichen ein"],
    [/^must not be less than (\S+)$/, "Gib mindestens $1 an"],
    [/^must not be greater than (\S+)$/, "Gib höchstens $1 an"],
    [/^must be an integer number$/, "Gib eine ganze Zahl an"],
    [/^must be a number conforming to the specified constraints$/, "Gib eine Zahl an"],
    [/^must be one of the following values: (.*)$/, "Wähle eines davon: $1"],
    [/^must contain no more than (\d+) elements$/, "Gib höchstens $1 an"],
    [/^must contain at least (\d+) elements$/, "Gib mindestens $1 an"],
    [/^elements must be unique$/, "Gib jedes nur einmal an"],
    [/^(?:should not be empty|must be a string|is missing|is required)$/, "Gib etwas ein"],
    [/^must be an email$/, "Gib eine E-Mail-Adresse an"],
    [/^must be a URL address$/, "Gib eine Web-Adresse an"],
    [/^must be a valid domain name$/, "Gib eine Domain an, etwa example.com"],
    [/^must be a valid IANA time-zone$/, "Wähle eine Zeitzone"],
    [/^must be a valid (?:date|ISO 8601 date string)$/, "Gib ein Datum an"],
    [/^must be a day, such as (\S+)$/, "Gib einen Tag an, etwa $1"],
    [/^must be a time of day, such as (\S+)$/, "Gib eine Uhrzeit an, etwa $1"],
    [
      /^must be a(?: whole)? phone number with (?:its )?country code, such as (\S+)$/,
      "Gib eine Nummer mit Ländervorwahl an, etwa $1",
    ],
    [/^must be one line$/, "Schreib es in eine Zeile"],
    [/^must be in the future$/, "Wähle eine Zeit, die noch kommt"],
    [/^must have (?:6|six) digits$/, "Gib sechs Ziffern ein"],
    [
      /^must be visible ASCII characters$/,
      "Verwende nur Buchstaben ohne Umlaute, Ziffern und Zeichen, keine Leerzeichen",
    ],
    [
      /^must be letters, digits, - and _, at most (\d+) characters$/,
      "Verwende nur Buchstaben, Ziffern, - und _, höchstens $1 Zeichen",
    ],
    [
      /^must be 1 to (\d+) lowercase letters, digits(?:, _ and -| and _)$/,
      "Verwende nur kleine Buchstaben, Ziffern, _ und -, höchstens $1 Zeichen",
    ],
    [
      /^is on a list of breached and common passwords: .*$/,
      "Dieses Passwort steht auf einer Liste bekannter Passwörter. Nimm ein anderes, etwa vier zufällige Wörter",
    ],
    [
      /^is made of your name, your email or your company: .*$/,
      "Das Passwort besteht aus deinem Namen, deiner E-Mail-Adresse oder deiner Firma. Nimm ein anderes, etwa vier zufällige Wörter",
    ],
    [
      /^Too many requests: at most \d+ a minute\. Try again in (\d+) seconds$/,
      "Zu viele Anfragen. Versuch es in $1 Sekunden noch einmal",
    ],
    [/^The action is (?:approved|executed) already$/, "Die Aktion ist schon freigegeben"],
    [/^The action is rejected already$/, "Die Aktion ist schon abgelehnt"],
    [/^The action is expired already$/, "Die Aktion ist abgelaufen"],
    [/^The action is failed already$/, "Die Aktion ist schon fehlgeschlagen"],
    [/^A conversation has at most (\d+) labels$/, "Ein Gespräch hat höchstens $1 Labels"],
    [/^(\{\{.*\}\}) is not a variable\. Use one of (.*)$/, "Die Variable $1 gibt es nicht. Es gibt: $2"],
    [/^has \{\{ or \}\} without its counterpart\. .*$/, "Zu {{ oder }} fehlt das Gegenstück"],
    [/^has more than (\d+) variables$/, "Verwende höchstens $1 Variablen"],
  ],
  sentences: {
    "A person handles the conversation": "Ein Mensch bearbeitet das Gespräch",
    "No approved entry answers": "Kein freigegebener Eintrag passt",
    "Nothing was asked": "Es wurde nichts gefragt",
    "Something was said after the message": "Nach der Nachricht wurde noch etwas gesagt",
    "The agent is gone": "Den Agenten gibt es nicht mehr",
    "The assistant failed to answer": "Der Assistent konnte nicht antworten",
    "The assistant has used up its tokens": "Der Assistent hat seine Tokens verbraucht",
    "The assistant is off in the workspace": "Der Assistent ist in diesem Arbeitsbereich ausgeschaltet",
    "The assistant is off or paused": "Der Assistent ist ausgeschaltet oder pausiert",
    "The assistant passes the conversation on": "Der Assistent gibt das Gespräch weiter",
    "The assistant was not sure enough to answer": "Der Assistent war nicht sicher genug",
    "The contact asks for a person": "Der Kontakt möchte mit einem Menschen sprechen",
    "The contact needs nothing more: the conversation is resolved":
      "Der Kontakt braucht nichts mehr. Das Gespräch ist gelöst",
    "The conversation is resolved": "Das Gespräch ist gelöst",
    "What the assistant wrote rests on no entry": "Was der Assistent geschrieben hat, steht in keinem Eintrag",
    "Nobody approves what they requested":
      "Wer etwas angefragt hat, gibt es nicht selbst frei. Das muss jemand anderes tun",
    "The action has expired": "Die Aktion ist abgelaufen",
    "The action is not what you have looked at: read it again":
      "Die Aktion hat sich geändert, seit du sie angesehen hast",
    "A case type with this key exists already": "Es gibt schon eine Art von Fall mit diesem Schlüssel",
    "A colleague has the conversation; give force to take it over": "Jemand anderes hat das Gespräch",
    "A label with this name exists already": "Es gibt schon ein Label mit diesem Namen",
    "A member with this email exists already": "Es gibt schon ein Mitglied mit dieser E-Mail-Adresse",
    "An invited member becomes active by setting a password": "Wer eingeladen ist, wird durch sein Passwort aktiv",
    "An invited member can become an owner after accepting the invitation":
      "Wer eingeladen ist, kann erst nach der Annahme Owner werden",
    "An SMS holds no files: send a link instead": "Eine SMS nimmt keine Dateien auf. Sende stattdessen einen Link",
    "Another canned reply has this shortcut": "Dieses Kürzel hat schon ein anderer Textbaustein",
    "Both contacts have an externalId: to you they are two people":
      "Beide Kontakte haben eine externe ID, also sind es für euch zwei Menschen",
    "Executable files are not accepted": "Ausführbare Dateien werden nicht angenommen",
    "It was sent already": "Es ist schon gesendet",
    "On the test side nothing leaves": "Auf der Testseite geht nichts hinaus",
    "Only a member who is invited can be invited again": "Nur wer eingeladen ist, kann noch einmal eingeladen werden",
    "Only an active key can be rotated": "Nur ein aktiver Schlüssel kann erneuert werden",
    "Platform agents are read-only: make an agent of your own instead":
      "Agenten der Plattform lassen sich nicht ändern. Leg einen eigenen an",
    "Set up a second factor for yourself before you require one of everybody":
      "Richte zuerst für dich selbst einen zweiten Faktor ein, bevor du ihn von allen verlangst",
    "Something with the same unique value exists already": "Das gibt es schon",
    "The agent also works in workspaces that you cannot reach, so you cannot change it":
      "Der Agent arbeitet auch in Arbeitsbereichen, die du nicht erreichst. Deshalb kannst du ihn nicht ändern",
    "The agent is paused": "Der Agent pausiert",
    "The assistant is turned off in this workspace": "Der Assistent ist in diesem Arbeitsbereich ausgeschaltet",
    "The channel has no credentials yet": "Der Kanal hat noch keine Zugangsdaten",
    "The channel is disabled: enable it first": "Der Kanal ist ausgeschaltet. Schalte ihn zuerst ein",
    "The channel is disabled: it takes nothing": "Der Kanal ist ausgeschaltet und nimmt nichts an",
    "The channel is disabled: nothing leaves through it": "Der Kanal ist ausgeschaltet: Durch ihn geht nichts hinaus",
    "The contact has no email that the link could be sent to":
      "Der Kontakt hat keine E-Mail-Adresse, an die der Link gehen könnte",
    "The contact is blocked: its messages are not taken": "Der Kontakt ist gesperrt. Von ihm kommt nichts an",
    "The contact was erased: nothing can be added": "Der Kontakt wurde gelöscht. Nichts kann hinzukommen",
    "The contact was merged into another one": "Der Kontakt wurde mit einem anderen zusammengeführt",
    "The contacts have proven with an eID to be two people":
      "Die beiden haben mit einer eID bewiesen, dass sie zwei Menschen sind",
    "The conversation is resolved: reopen it first": "Das Gespräch ist gelöst. Öffne es zuerst wieder",
    "The endpoint is disabled: make it active first": "Der Endpunkt ist ausgeschaltet. Schalte ihn zuerst ein",
    "The file is empty": "Die Datei ist leer",
    "The member has no second factor": "Das Mitglied hat keinen zweiten Faktor",
    "The server cannot be reached": "Der Server ist nicht erreichbar",
    "The time is busy in this calendar; book it anyway with force": "Zu dieser Zeit ist im Kalender schon etwas",
    "The workspace has no active SMS channel: use email instead":
      "Der Arbeitsbereich hat keinen aktiven SMS-Kanal. Nimm stattdessen E-Mail",
    "The workspace is archived: it can be read, not written to":
      "Der Arbeitsbereich ist archiviert: Man kann darin lesen, aber nicht schreiben",
    "This code has been used; send another one": "Dieser Code ist schon verbraucht. Sende einen neuen",
    "This is the last owner: make another member an owner first":
      "Das ist der letzte Owner. Mach zuerst jemand anderen dazu",
    "This question has been answered; ask another one": "Diese Frage ist beantwortet. Stell eine andere",
    "Your email is proven already": "Deine E-Mail-Adresse ist schon bestätigt",
    "Your sign-in provider keeps your password": "Dein Passwort verwaltet der Anmeldedienst",
  },
};
