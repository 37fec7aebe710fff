import { lettersAndDigits } from "./normalise-text.js";

/** Alternatives for a regular expression, in the form that `normaliseText` returns. */
interface Courtesy {
  /** Fillers before the answer. */
  opening: string;
  /** Beginnings of a sentence that states a fact. */
  it: string;
  /** A beginning that names the fact, such as `my first school was`: it starts with `my` and ends with `is`, without an `and` between. */
  my: string;
  is: string;
  and: string;
  /** Common names of facts, which need no `my`: `date of birth is`, `account:`. */
  fact: string;
  closing: string;
}

const COURTESY: Record<string, Courtesy> = {
  en: {
    opening:
      "yes|yeah|yep|yup|sure|ok|okay|well|oh|ah|hm+|u+h+|u+m+|wait|actually|sorry|of course|here|hi|hello|i think|i believe",
    it: "it is|its|it was|that is|thats|that was|that would be|this is|i am|im|i was born(?: on)?",
    my: "my|the|his|her|our",
    is: "is called|was called|is|was",
    and: "and|or|but",
    fact: "date|of|birth|birthday|account|bank|card|phone|mobile|mothers?|maiden|full|first|last|name|number|pin|code|zip|post|postcode|address|answer|childhood|pets?",
    closing: "please|thanks|thank you|sorry|i think|i believe|here|speaking",
  },
  de: {
    opening: "ja|genau|klar|gerne?|naturlich|also|ahm?|oh|moment|hallo|guten tag|entschuldigung|ich glaube|ich denke",
    it: "es ist|es war|das ist|das war|das ware|hier ist|ich bin(?: am)?|ich heisse|ich wurde am",
    my: "mein|meine|meiner|der|die|das|unser|unsere",
    is: "ist|war|lautet|heisst|hiess",
    and: "und|oder|aber",
    fact: "name|vorname|nachname|madchenname|geburtsname|nummer|kontonummer|telefonnummer|pin|code|plz|postleitzahl|geburtsdatum|geburtstag|adresse|antwort",
    closing: "bitte|danke|geboren|glaube ich|denke ich",
  },
  fr: {
    opening: "oui|bien sur|daccord|alors|ah|euh|ben|bonjour|pardon|desolee?|je crois(?: que)?|je pense(?: que)?",
    it: "cest|cetait|ce serait|je suis(?: nee? le)?|je mappelle",
    my: "mon|ma|le|la|notre",
    is: "est|etait|sappelle|sappelait",
    and: "et|ou|mais",
    fact: "nom|prenom|de|jeune|fille|numero|compte|telephone|pin|code|postal|date|naissance|adresse|reponse",
    closing: "merci|sil vous plait|je crois|je pense",
  },
  es: {
    opening: "si|claro|vale|bueno|pues|ah|eh|hola|perdon|creo que|por supuesto",
    it: "es|era|seria|soy|me llamo|naci el",
    my: "mi|el|la|nuestro|nuestra",
    is: "es|era|se llama|se llamaba",
    and: "y|e|o|u|pero",
    fact: "nombre|apellido|de|soltera|numero|cuenta|telefono|pin|codigo|postal|fecha|nacimiento|direccion|respuesta",
    closing: "gracias|por favor|creo",
  },
  it: {
    opening: "si|certo|certamente|allora|ah|eh|ok|ciao|buongiorno|scusi|credo che|penso che|credo|penso",
    it: "e|era|sarebbe|sono(?: nat[oa] il)?|mi chiamo",
    my: "il|la|lo|mio|mia|nostro|nostra",
    is: "e|era|si chiama|si chiamava",
    and: "ed|o|od|ma",
    fact: "nome|cognome|da|di|nubile|numero|conto|telefono|pin|codice|postale|cap|data|nascita|indirizzo|risposta",
    closing: "grazie|per favore|per piacere|credo|penso",
  },
  nl: {
    opening: "ja|zeker|natuurlijk|goed|nou|oke?|ah|eh|hallo|sorry|ik denk|ik geloof",
    it: "het is|het was|dat is|dat was|dit is|ik ben(?: geboren op)?|ik heet",
    my: "mijn|de|het|onze",
    is: "is|was|heet|heette|luidt",
    and: "en|of|maar",
    fact: "naam|voornaam|achternaam|meisjesnaam|nummer|rekeningnummer|telefoonnummer|pin|pincode|code|postcode|geboortedatum|verjaardag|adres|antwoord",
    closing: "alstublieft|alsjeblieft|bedankt|dank u|dank u wel|dank je|dank je wel|denk ik",
  },
};

const ENDED = "(?![\\p{L}\\p{M}\\p{N}])";
const AFFIXES = new Map(
  Object.entries(COURTESY).map(([language, { opening, it, my, is, and, fact, closing }]) => {
    const word = `(?!(?:${and}) )[^\\s\\d.,;:!?]+ `;
    const named = `(?:${my}) (?:${word}){0,7}?(?:${is})${ENDED}|(?:(?:${my}) )?(?:(?:${fact}) ){0,4}(?:${fact})(?: (?:${is})${ENDED}| ?:)`;
    return [
      language,
      [
        `^(?:(?:${opening})${ENDED}[\\s\\p{P}]*)*(?:(?:${it})${ENDED}|${named})[\\s\\p{P}]*`,
        // An opening alone is removed only before punctuation or a number, because `Sure Jones` may be a name.
        `^(?:(?:${opening}) )*(?:${opening})(?: ?[,.;:!?]+ ?| (?=[\\d+(]))`,
        `[\\s,.;!?]+(?:${closing})[\\s\\p{P}]*$`,
      ].map((affix) => new RegExp(affix, "u")),
    ];
  }),
);

/**
 * Removes courtesy words around an answer from a normalised text. Only the beginning and the end of the text change. What
 * remains is never split, so an answer that lists several facts stays a list.
 */
export function withoutCourtesy(text: string, language: string): string {
  for (const affix of AFFIXES.get(language) ?? []) {
    const rest = text.replace(affix, "");
    // The answer itself may be a courtesy word, such as `Sure`.
    if (rest !== text && lettersAndDigits(rest)) return withoutCourtesy(rest, language);
  }
  return text;
}
