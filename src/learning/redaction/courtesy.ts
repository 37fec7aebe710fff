import { sentencesIn } from "../../knowledge/review/sentences.js";
import { GAP } from "./spans.js";

/** No sentence is longer than this where its kind is looked at, in characters. */
const MAX_LOOKED_AT = 300;

/** `Hi Ada,`, `Dear Ms Lovelace,`, `Sehr geehrte Frau Lovelace,`: at most six words, to the next comma or full stop. */
const GREETING =
  /^\s*(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|hallo|guten (?:tag|morgen|abend)|moin|servus|grüezi|grüß (?:gott|dich|sie)|liebe[rs]?|sehr geehrte[rs]?|werte[rs]?)(?!\p{L})(?: ?(?:[\p{L}\p{M}.'’/-]{1,30}|\[…\])){0,6}? *(?:[,!.:\n]+|$)\s*/iu;
/** Without a comma after it: `Hi, your parcel …`, `Hello your parcel …`. */
const BARE_GREETING =
  /^\s*(?:hi|hello|hey|hiya|hallo|moin|guten (?:tag|morgen|abend)|good (?:morning|afternoon|evening))(?: there| zusammen| \[…\]){0,2}[ ,!.:–-]+/iu;

const start = (phrases: string): RegExp =>
  new RegExp(
    String.raw`^[\s–-]*(?:${phrases
      .split("\n")
      .map((phrase) => phrase.trim())
      .filter(Boolean)
      .join("|")})`,
    "iu",
  );

/** Sentences that say nothing about the matter. They are matched from their beginning. */
const EMPTY = start(String.raw`
  welcome(?: to\b|[!. ,]|$)
  (?:my (?:full |first |last )?name(?: is|['’]s|:)|mein name ist|ich hei(?:ß|ss)e|i am|i['’]m|this is|ich bin|hier (?:ist|spricht)) \[…\][.!, ]*$
  (?:many )?thank(?:s| you)(?: (?:so|very) much| a lot)?(?: for (?:contacting|reaching|your (?:message|e-?mail|mail|patience|interest|inquiry|enquiry|question|request|call|understanding|order|cooperation|time|business)|writing|waiting|calling|choosing|getting|asking|that|the info(?:rmation)?|confirming|providing|letting|being|using|holding))?(?!\p{L})
  i hope (?:you(?:'re| are)|this|that|all|everything|your)
  (?:so )?how (?:can|may|could) (?:i|we) (?:help|assist|be of)
  what can (?:i|we) (?:help|do for|assist)
  (?:is there )?(?:anything|something|anyone) else
  (?:can|may|could) (?:i|we) (?:help|assist|do anything)
  do you (?:have any (?:other|more|further) questions|need anything else)
  (?:i(?:'m| am)|we(?:'re| are)|always|my|it(?:'s| is| was))? ?(?:more than )?(?:happy|glad|pleasure|delighted)\b(?! hour)
  (?:you(?:'re| are) )?(?:very |most )?welcome[.!, ]*$
  you(?:'re| are) (?:very |most )?welcome
  no (?:problem|worries)[.!, ]*(?:\[…\][.!]?)?$
  (?:sure|of course|certainly|absolutely|okay|ok|alright|all right|great|perfect|excellent|wonderful|awesome|understood|got it|i see|right|yes|no|fine|good|sounds good|no problem|my pleasure|done|sorry|i(?:'m| am)(?: so| very)? sorry)(?: \[…\])?(?: then)?[.!, ]*$
  (?:just )?(?:one|a) (?:moment|second|sec|minute)(?!\p{L})
  (?:please )?(?:wait|hold|hang on|bear with|give me|allow me)(?!\p{L}).{0,60}$
  (?:ok(?:ay)?,? ?|sure,? ?|alright,? ?)?let me (?:just |quickly )?(?:check|look|see|find|pull|search|take a look|verify)
  (?:i(?:'ll| will)|i(?:'m| am)) (?:just |now )?(?:check|look|checking|looking|searching|going to (?:check|look))\b
  (?:i )?(?:hope to|look(?:ing)? forward)
  have (?:a|an)(?: very| really)? (?:great|good|nice|wonderful|lovely|pleasant|safe|excellent|amazing|fantastic|blessed|happy)\b
  (?:please )?(?:let (?:me|us) know|feel free|do(?: not|n't) hesitate|reach out|contact (?:me|us) again|get in touch)\b.{0,80}(?:question|help|else|anything|assist|further|contact|reach|ask|hesitate|touch|more|need)
  if you (?:have|need) (?:any(?: other| more| further|thing)?|more|further|other|additional) ?(?:questions?|help|assistance|else|information|concerns?)
  (?:good ?)?bye\b
  take care\b
  see you\b
  stay (?:safe|healthy)\b
  enjoy (?:your|the) (?:day|evening|weekend|rest)
  (?:vielen |herzlichen |besten )?dank(?:e)?(?: schön| sehr| ihnen| dir)?(?: für| fürs|[.!, ]*$)
  wie (?:kann|darf|können) (?:ich|wir) (?:ihnen|dir|euch)
  (?:kann|können|darf) (?:ich|wir) (?:ihnen|dir|euch|sonst|noch|weiter)
  (?:sehr |immer )?gern(?:e)?(?: geschehen| doch)?[.!, ]*$
  kein problem[.!, ]*$
  (?:alles klar|in ordnung|verstanden|natürlich|selbstverständlich|klar|ja|nein|okay|super|prima|perfekt|bitte(?: schön| sehr)?)(?: \[…\])?[.!, ]*$
  (?:einen |kleinen |einen kleinen )?(?:moment|augenblick)(?!\p{L})
  (?:bitte )?(?:warten sie|gedulden sie|haben sie (?:einen|etwas) (?:moment|geduld))
  ich (?:schaue|prüfe|sehe|gucke|werde)(?: das| es)?(?: mal| kurz| gleich| sofort| eben)*(?: nach| für (?:sie|dich))?[.!, ]*$
  (?:einen |noch einen )?(?:schönen|angenehmen|guten|tollen) (?:tag|abend|rest|start)
  (?:ein )?schönes wochenende
  (?:wir |ich )?(?:wünsche|wünschen)(?! sie)
  bei (?:weiteren |rück|anderen )?-?(?:rück)?fragen
  (?:falls|wenn|sollten) (?:sie|du|ihr) (?:noch |weitere |irgendwelche )*(?:fragen|hilfe)
  melden sie sich (?:gern|jederzeit|einfach|bitte)
  ich hoffe
  (?:wir |ich )?(?:freuen?|freue) (?:uns|mich)
  auf wieder(?:sehen|hören|schauen)
  tschüss
  bis (?:bald|dann)
  alles gute`);

const SIGN_OFF =
  /^[\s>]*(?:(?:kind|best|warm|kindest|warmest|many|with (?:kind|best|warm))? ?regards|best wishes|(?:all the )?best|(?:yours )?(?:sincerely|faithfully|truly)|yours|cheers|cordially|respectfully|thanks(?: again)?|thank you(?: again)?|many thanks|(?:mit )?(?:freundlichen?|besten?|herzlichen?|lieben?|schönen?|vielen?) grü(?:ß|ss)en?|grü(?:ß|ss)e|mfg|vg|lg|bg|hochachtungsvoll|ihr|ihre|dein|deine)(?!\p{L})/iu;
/** A signature has at most so many lines, and what follows a sign-off in its line so many characters. */
const MAX_SIGNATURE_LINES = 10;
const MAX_SIGNED = 60;

const WORDS = /[\p{L}\p{N}]/u;
const says = (sentence: string): boolean => WORDS.test(sentence.replaceAll(GAP, ""));
const isEmpty = (sentence: string): boolean =>
  !says(sentence) ||
  (sentence.length <= MAX_LOOKED_AT && EMPTY.test(sentence.replace(/^\s*(?:and|und|so|well|also|oh),? /i, "")));

/** Without the name below a letter, and what stands there with it. */
function withoutSignature(text: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex(
    (line, i) =>
      line.length <= MAX_SIGNED &&
      SIGN_OFF.test(line) &&
      lines.length - i <= MAX_SIGNATURE_LINES &&
      isSignature(lines, i),
  );
  const above = at > 0 ? lines.slice(0, at).join("\n") : text;
  const sentences = sentencesIn(above);
  let left = above.length;
  const signed = sentences.findIndex((sentence, i) => {
    const isNearEnd = left <= MAX_SIGNED;
    left -= sentence.length;
    return i > 0 && isNearEnd && SIGN_OFF.test(sentence) && !isEmptyThanks(sentence);
  });
  return signed > 0 ? sentences.slice(0, signed).join("") : above;
}
const isEmptyThanks = (sentence: string): boolean => /^\s*(?:ihre?|deine?) \p{L}+ /iu.test(sentence);
/** The sign-off stands alone in its line, but for a name. */
const isSignature = (lines: readonly string[], at: number): boolean =>
  /^[^.?!]*[.!,]?$/.test(lines[at]!.trim()) && lines[at]!.trim().split(/\s+/).length <= 6;

function withoutGreeting(text: string): string {
  let left = text;
  for (let i = 0; i < 3; i++) {
    const head = left.slice(0, MAX_LOOKED_AT);
    const greeting = GREETING.exec(head) ?? BARE_GREETING.exec(head);
    if (!greeting) return left;
    left = left.slice(greeting[0].length);
  }
  return left;
}

const TO_THEM = /\b(?:you|your|yours|sie|ihr|ihre[nmrs]?|ihnen|du|dir|dich|deine?[nmrs]?)\b/i;
const ADVICE =
  /\b(?:have you tried|did you try|why not|how about|haben sie (?:schon|bereits)|hast du (?:schon|bereits))\b/i;
/** It asks the contact for something, and tells nothing. */
const asksBack = (sentence: string): boolean =>
  /\?["”’)\s]*$/.test(sentence) && (TO_THEM.test(sentence) || sentence.length <= 60) && !ADVICE.test(sentence);

/** A question at the end of a sentence that tells something first: `It is booked, can I help with anything else?` */
const ASKED_AFTER =
  /,\s{0,3}(?:and |so |but )?(?:would|can|could|may|shall|should|do|does|is there|will|anything|kann|können|möchten|soll|darf)(?!\p{L})[^,?]{1,200}\?\s*$/iu;
const MIN_STATEMENT = 12;

/** The sentence, or what it tells before it asks back. */
function statementOf(sentence: string): string {
  const asked = ASKED_AFTER.exec(sentence);
  if (asked && asked.index >= MIN_STATEMENT && TO_THEM.test(asked[0])) return `${sentence.slice(0, asked.index)}. `;
  return asksBack(sentence) ? "" : sentence;
}

const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split(/[ \t]/).filter(Boolean).join(" "))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/**
 * What a message says about the matter: without its greeting, courtesies and signature.
 * @param asking keeps the questions; otherwise those that ask something of the contact are left out
 */
export function matterOf(text: string, asking = false): string {
  const kept = sentencesIn(withoutGreeting(withoutSignature(text)))
    .map((sentence, i) => (i ? sentence : withoutGreeting(sentence)))
    .map((sentence) => (asking ? sentence : statementOf(sentence)))
    .filter((sentence) => !isEmpty(sentence));
  return tidy(kept.join(""));
}
