import { plainWordsOf } from "./acts.js";
import { hasPlace } from "./names.js";
import { isQuestion } from "./parts.js";
import { isTroubled } from "./polarity.js";

// "What is your phone number?" shares no word with "Contact", and one with "Where is my tracking number?". What a question asks for, and
// whether an answer has it, says more than its words. Phrases of the seven languages, as `plainWordsOf` writes them.

const matches = (patterns: string): RegExp =>
  new RegExp(
    String.raw`(?<= )(?:${patterns
      .trim()
      .split("\n")
      .map((line) => line.trim())
      .join("|")})(?= )`,
  );

/** How to reach us by telephone. */
const PHONE =
  matches(`(?:your|ur) (?:(?:phone|telephone|mobile|contact|service|support) (?:number|line)|number|hotline)|(?:phone|telephone|hotline) number|(?:call|phone|ring|telephone) (?:you|u)(?: guys)?|when can i (?:call|phone|ring)
    telefonnummer|rufnummer|(?:ihre|eure|deine) (?:nummer|hotline)|(?:sie|euch|dich) (?:\\S+ )?anrufen|telefonisch (?:\\S+ ){0,3}erreich\\S*|erreich\\S* (?:\\S+ ){0,3}telefonisch
    numero de telephone|(?:votre|ton) numero|vous (?:appeler|telephoner)
    (?:numero de|su|vuestro|tu) telefono|(?:su|vuestro|tu) numero|llamar(?:les?|os|te)
    numero di telefono|(?:vostro|suo|tuo) numero|chiamar(?:vi|la|ti)|telefonar(?:vi|le)
    telefoonnummer|(?:uw|jullie|je) nummer|(?:u|jullie) (?:\\S+ )?bellen
    numero de telefone|(?:vosso|seu|teu) (?:numero|telefone)|ligar vos|telefonar vos|ligar para voces`);
/** Where to write to. */
const MAIL = matches(`(?:your|ur) (?:e ?)?mail(?: address)?|(?:e ?)?mail address|(?:e ?mail|mail|write to) (?:you|u)
    (?:e ?)?mail ?adresse|(?:ihre|eure|deine) (?:e ?)?mail|(?:ihnen|euch) (?:\\S+ )?(?:mailen|schreiben)
    adresse (?:e ?)?mail|(?:votre|ton) (?:e ?)?mail|adresse electronique|vous ecrire
    (?:su|vuestro|tu) (?:correo|e ?mail)|direccion de correo|escribir(?:les?|os|te)
    indirizzo (?:e ?)?mail|(?:vostra|sua|tua) (?:e ?)?mail|scriver(?:vi|le|ti)
    (?:e ?)?mail ?adres|(?:uw|jullie|je) (?:e ?)?mail|(?:u|jullie) (?:\\S+ )?mailen
    endereco de e ?mail|(?:vosso|seu|teu) e ?mail|escrever vos`);
/** Either. */
const REACH =
  matches(`(?:contact|reach|get hold of) (?:you|u|customer (?:service|support|care))(?: guys)?|get in (?:touch|contact)(?: with (?:you|u))?|contact (?:details|information|info)
    (?:sie|euch|dich) (?:\\S+ ){0,2}(?:erreich\\S*|kontaktier\\S*)|(?:erreich\\S*|kontaktier\\S*) (?:\\S+ )?(?:sie|euch|dich)|kontaktdaten|mit (?:ihnen|euch) (?:\\S+ )?kontakt aufnehmen
    vous (?:joindre|contacter)|vos coordonnees|(?:joindre|contacter) (?:le |votre )?service client
    contactar(?:les?|los|os|te)|contactar con (?:ustedes|vosotros)|ponerme en contacto
    contattar(?:vi|la|ti)|mettermi in contatto|contattare il servizio clienti
    (?:u|jullie) (?:\\S+ ){0,2}(?:bereiken|contacteren)|contact (?:\\S+ ){0,3}opnemen|contactgegevens
    contactar vos|contac?ta los|entrar em contac?to`);
/**
 * What may stand beside that. Any other word asks for something else, or for more: "How do I change the phone number?", "Do I need to
 * contact you before I send it back?"
 */
const BESIDE = new Set(
  `adres address adresse anrufen appeler bellen call chiamare contact contactar contacter contattare correo direccion e ecrire email endereco erreichen escribir
  escrever hotline indirizzo joindre ligar line llamar mail mailen mobile number numero nummer phone ring rufnummer schreiben scrivere telefon telefone telefono
  telefonnummer telefoonnummer telephone telephoner
  a am an and any also are at best by can could do does for get give have hello help hey hi how i is it kindly know me need number of on one or
  please pls possible s somebody someone talk team tell thanks that the there this to today u us via want way we what whats when where which with would you your
  address directly guys
  am an auch auf bei bitte danke das dem den der deren die direkt ein eine einem einen er es euch eure fur gern gerne gibt guten habe haben habt hallo ich ihr ihre
  ihrer ihnen im in ist kann konnen konnte konnt lautet man mir mit mochte nenne nennen oder per sagen sie sind tag und uns unter von wann was
  welche welcher wie wir wo zu
  a ai au aupres avec avez bonjour c ce comment de des j je que du elle en est et il la le les me merci moi numero on ou par peut peux plait pour pouvez pourrais puis
  quel quelle quels quelles qu s service sont souhaite sur t un une voici vos votre voudrais vous y
  al alguien como con cual cuales cuando cuanto dar darme de del donde el en es favor gracias hay hola la las lo los me o para podria podrian por puede pueden puedo
  quiero quisiera ser si su sus tienen tu un una usted ustedes vuestro y
  avete c che ci come con da dei del di dove e gentilmente grazie ho il la lo mi o per posso potete potrei potreste qual quale quali quando salve si sono un una vi vorrei vostro
  alstublieft bedankt dat de een en er graag hallo heb hebben heeft het hoe ik in is jullie kan kunnen mag met mij of om op per te u uw via wanneer wat welk welke wil zijn
  ao com como da das de do dos e em entre favor ha la obrigado o onde ola os ou para podem por posso qual quais quando queria quero se sou tem tenho um uma`.split(
    /\s+/,
  ),
);

const MAIL_ADDRESS = /[^\s@]@[^\s@.]+\.[^\s@]/u;
/** As in "01947 555 010", "+49 (0)40 1234", "(555) 123-4567". */
const NUMBER = /(?<![\p{L}\d])(?<!\d )(?:\+|\(?0|\(?\d{3}\)?[ .-]\d{3}[ .-])[\d ()/.-]{4,30}/gu;
const DATE = /^\(?\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/;
const MIN_DIGITS = 7;
const hasPhone = (answer: string): boolean =>
  [...answer.matchAll(NUMBER)].some(([number]) => number.replace(/\D/g, "").length >= MIN_DIGITS && !DATE.test(number));
const hasMail = (answer: string): boolean => MAIL_ADDRESS.test(answer);

/** What is longer asks for more than that. In words. */
const MAX_WORDS = 12;
/** What is shorter needs no question mark: "phone number please". In words. */
const MAX_SHORT = 4;

const WAYS: [RegExp, (answer: string) => boolean][] = [
  [PHONE, hasPhone],
  [MAIL, hasMail],
  [REACH, (answer) => hasPhone(answer) || hasMail(answer)],
];

/** Whether an answer says how to reach us in the way that the question asks for. Undefined: it does not ask for that, or for more. */
export function reachingBy(text: string): ((answer: string) => boolean) | undefined {
  const words = plainWordsOf(text.slice(0, 300));
  if (words.length > MAX_WORDS || isTroubled(text)) return undefined;
  if (words.length > MAX_SHORT && !isQuestion(text)) return undefined;
  const said = ` ${words.join(" ")} `;
  const [way, has] = WAYS.find(([one]) => one.test(said)) ?? [];
  const beside = way && said.replace(way, "").split(" ").filter(Boolean);
  return beside?.every((word) => BESIDE.has(word)) ? has : undefined;
}

/** Where something is done. Where something is, is another question. */
const WHERE =
  /^ (?:where(?! (?:is|are|s|am|was) )|wo(?! (?:ist|sind|seid|bleibt|finde) )|wohin|ou(?! (?:est|sont|etes|se) )|a?donde(?! (?:esta|estan|estais|se) )|dove(?! (?:e|sono|siete|si) )|waar(?! (?:is|zijn|zit|blijft) )|waarheen|a?onde(?! (?:e|esta|estao|fica) )) /;
const HOW_MUCH =
  /(?<= )(?:how much|what does (?:\S+ ){1,4}cost|wie ?viel kostet|wie teuer|was kostet|was kosten|combien coutent?|cuanto cuestan?|quanto costan?o?|hoeveel kost|wat kost|wat kosten|quanto custam?)(?= )/;
const PRICE =
  /\p{Sc}|\d\s*(?:EUR|euros?|pounds?|dollars?|CHF|francs?|libras?|reais)\b|\b(?:free|kostenlos|gratuito?|gratis)/iu;

/** Whether an answer has a place or a price, as the question asks for one. Undefined: it asks for neither. @param language of the answer */
export function kindAskedBy(text: string, language: string): ((answer: string) => boolean) | undefined {
  const said = ` ${plainWordsOf(text.slice(0, 300)).join(" ")} `;
  if (WHERE.test(said)) return (answer) => hasPlace(answer, language);
  return HOW_MUCH.test(said) ? (answer) => PRICE.test(answer) : undefined;
}
