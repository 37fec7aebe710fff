import { type Span, spansOf } from "./spans.js";

/** Whose names are known. */
export interface Names {
  /** Of the contact, as their record has them and as they gave them. */
  contact: readonly string[];
  /** Of colleagues. */
  members: readonly string[];
}

const MAX_NAMES = 5_000;
const WORD = /[\p{L}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** Parts of names that are in other words' company everywhere. */
const PARTICLES = words(
  "von van de der den del della di da dos du la le les el al bin ibn zu zur und and of y mr mrs ms miss dr prof sir herr frau jr sr ii iii the inc ltd gmbh ag",
);
/** Names that are words as well. They count as names where they are written like one. */
const ORDINARY = words(`
  will may mark rose grace hope joy art bill pat sue frank rich jack dean miles chase hunter mason carter cook baker miller smith taylor
  young brown black white green gray grey king price prince page case cash banks bank best day days long short sharp small little
  love law field fields ford hall hill house wood woods stone street rivers lake west east north south summer winter may june april august
  august faith dawn eve ivy lily iris daisy violet amber ruby pearl crystal joy melody harmony sky star sunny bay cliff glen heath brook brooks
  rob chuck drew jean ray guy max van don gene grant lance dale clay rusty buddy angel major marshal judge bishop pope abbott church parish
  cross christian carol merry holly noel penny buck rand mint coin bond sterling gold silver fox wolf bird hawk swan lamb bull fish pike bass
  park parker potter porter cooper fisher farmer gardener shepherd weaver tanner turner walker driver rider archer butler clerk page reader
  sommer herbst winter frühling lange kurz klein groß gross jung alt neu schwarz weiß weiss braun grün roth blau bauer müller schmidt schneider
  fischer weber meyer wagner becker koch richter könig kaiser graf herzog vogt post sonntag montag freitag stein berg bach wald feld busch baum
  rose blume stern mond sonne engel frei fuchs wolf vogel hahn hase horn hammer nagel kessel topf pfeffer salz zucker honig kern kraft stark reich
  arm ernst lieb gut schön kühn wild sanft still kluge weise ehrlich treu heil segen glück
  may will can mai juni august an in so do to me my no on or us we up it is as at be by go he hi if all any new old one two way see say
  a i o jo bo ty al ed paris london florence sydney austin jackson houston madison berlin hamburg essen
`);

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);

interface Parts {
  /** Removed wherever they appear. */
  rare: Set<string>;
  /** Removed where they are written like names. */
  ordinary: Set<string>;
  unspaced: string[];
}

function partsOf(names: readonly string[]): Parts {
  const parts: Parts = { rare: new Set(), ordinary: new Set(), unspaced: [] };
  for (const name of names.slice(0, MAX_NAMES)) {
    if (UNSPACED.test(name)) parts.unspaced.push(...name.split(/[\s・·]+/).filter((part) => part.length > 1));
    for (const [part] of name.slice(0, 200).matchAll(WORD)) {
      const folded = fold(part);
      if (folded.length < 2 || PARTICLES.has(folded)) continue;
      (ORDINARY.has(folded) || ORDINARY.has(part.toLowerCase()) ? parts.ordinary : parts.rare).add(folded);
    }
  }
  return parts;
}

/** So many names one contact gives at most. */
const MAX_GIVEN = 20;
const CAPITAL = String.raw`\p{Lu}[\p{L}\p{M}'’-]{1,30}`;
const ANY = String.raw`\p{L}[\p{L}\p{M}'’-]{1,30}`;
const TITLED = new RegExp(
  String.raw`(?<!\p{L})(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Herrn?|Frau)\.? (${CAPITAL}(?: ${CAPITAL})?)`,
  "gu",
);
/** Words that go on after a name. */
const GOES_ON =
  "and|und|my|i|from|with|here|aus|mit|the|but|account|order|in|to|for|because|so|at|you|your|ich|please|bitte";
const NEXT = String.raw`(?: (?!(?:${GOES_ON})\b)${ANY})?`;
/** `My name is Ada Lovelace`, however it is written. */
const GIVEN = new RegExp(
  String.raw`(?:\bmy (?:full |first |last )?name(?: is|'s|’s|:)|\bname is|\bi am called|\bmein name (?:ist|lautet)|\bich hei(?:ß|ss)e|\bmein name:) (?!(?:on|not|in|the|a)\b)(${ANY}${NEXT}${NEXT})`,
  "giu",
);
const MORE_GIVEN = new RegExp(
  String.raw`(?<!\p{L})(?:[Ii] am|[Ii]['’]m|[Tt]his is|[Hh]ier (?:ist|spricht|schreibt)|[Ii]ch bin) (${CAPITAL}(?: ${CAPITAL}){0,2})(?=[.!,]? *$|[.!,]|\n| (?:from|with|at|and|here|calling|again|von|aus|und|vom)\b)`,
  "gmu",
);
const ASKS_NAME =
  /\b(?:your|whose|ihr|ihren|ihre|dein|deinen)\b.{0,20}\bname(?:[ns]|ns)?\b|\bname,? (?:please|bitte)\b/i;
/** Words of an answer that are no part of a name. */
const NO_NAME = words(
  "yes no ok okay sure hi hello hey thanks thank please ja nein klar hallo danke bitte it its my name the i am im this here a an not sorry what why how who where is was ist mein das do don dont know forgot can could would need want have has you your to of for in on at with and or but",
);
/** So long is an answer that is a name and little else, in words. */
const MAX_NAME_WORDS = 3;

/** The names that a contact gives of themselves, in a sentence or as the answer to somebody who asks for it. */
export function namesGiven(turns: readonly { asked: string | undefined; said: string }[]): string[] {
  const given: string[] = [];
  for (const { asked, said } of turns) {
    const text = said.slice(0, 2_000);
    for (const [, name] of text.matchAll(GIVEN)) given.push(name!);
    for (const [, name] of text.matchAll(MORE_GIVEN)) if (isPerson(name!)) given.push(name!);
    if (!asked || !asked.includes("?") || !ASKS_NAME.test(asked)) continue;
    const answer = text.split(/[\n,.;!?0-9]/, 1)[0]!.match(WORD) ?? [];
    const capitals = answer.filter((word) => isCapital(word) && !NO_NAME.has(word.toLowerCase()));
    if (capitals.length && capitals.length <= MAX_NAME_WORDS) given.push(capitals.join(" "));
    else if (
      answer.length >= 2 &&
      answer.length <= MAX_NAME_WORDS &&
      !answer.some((word) => NO_NAME.has(word.toLowerCase()))
    )
      given.push(answer.join(" "));
  }
  return given.slice(0, MAX_GIVEN);
}

const COMPANY =
  /\b(?:bank|inc|ltd|gmbh|support|team|service|customer|kunden|airlines?|hotel|(?:sun|mon|tues|wednes|thurs|fri|satur|to)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)\b/i;
/** `This is Rachel`, and not `This is Monday` or `This is Parley Bank`. */
const isPerson = (name: string): boolean => {
  const [first] = name.match(WORD) ?? [];
  return first !== undefined && !ORDINARY.has(first.toLowerCase()) && !COMPANY.test(name);
};

/** A sentence begins here, so a capital says nothing. */
const beginsAfter = (before: string): boolean =>
  before.trim() === "" || /[.!?:\n„“"(]$/.test(before.replaceAll(" ", ""));

/** Where names of these people stand as words, and what a title or an introduction says is a name. */
export function namesIn(text: string, { contact, members }: Names): Span[] {
  const [theirs, ours] = [partsOf(contact), partsOf(members)];
  const spans = [
    ...spansOf(text, TITLED, 1),
    ...spansOf(text, GIVEN, 1),
    ...spansOf(text, MORE_GIVEN, 1).filter(({ from, to }) => isPerson(text.slice(from, to))),
  ];
  for (const part of [...theirs.unspaced, ...ours.unspaced])
    for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
      spans.push({ from: at, to: at + part.length });
  let last: Span | undefined;
  let lastIsName = false;
  for (const match of text.matchAll(WORD)) {
    const span = { from: match.index, to: match.index + match[0].length };
    const word = fold(match[0]);
    const follows =
      last !== undefined && span.from - last.to <= 2 && /^[ .-]{1,2}$/.test(text.slice(last.to, span.from));
    const like: boolean =
      isCapital(match[0]) &&
      ((follows && lastIsName) || !beginsAfter(text.slice(Math.max(0, span.from - 3), span.from)));
    const isName: boolean =
      theirs.rare.has(word) ||
      (ours.rare.has(word) && isCapital(match[0])) ||
      ((theirs.ordinary.has(word) || ours.ordinary.has(word)) && like);
    if (isName) {
      spans.push(span);
      // `Will Smith` at the beginning of a sentence.
      if (follows && !lastIsName && last && isCapital(text.slice(last.from, last.to)))
        if ([theirs, ours].some(({ ordinary }) => ordinary.has(fold(text.slice(last!.from, last!.to)))))
          spans.push(last);
    }
    [last, lastIsName] = [span, isName];
  }
  return spans;
}
