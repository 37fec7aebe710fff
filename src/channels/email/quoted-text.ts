/**
 * Leaves out what the mail program put around a person's words: the mail that is answered, and the signature. Answers between
 * quoted lines stay with what they answer. In doubt nothing is left out, and then the text stays as it is, but for the kind of
 * its line breaks and those at its ends. Takes time in proportion to the length of the text.
 *
 * @param text the plain text of a mail
 * @param subject a forwarded mail stays whole: the person wants us to see it
 * @returns the words, and whether anything was left out
 */
export function withoutQuotedText(text: string, subject = ""): { body: string; shortened: boolean } {
  const given = withoutOuterBreaks(text.replace(/\r\n?/g, "\n"));
  const lines = linesOf(given);
  const whole = lines.join("\n").trim();
  if (FORWARDED_SUBJECT.test(subject) || lines.some((line) => line.length <= MAX_HEADING && FORWARDED.test(line)))
    return { body: given, shortened: false };
  const parts = withoutQuote(
    partsOf(whole.split("\n"))
      .map(withoutSignature)
      .filter((part) => part.lines.some(Boolean)),
  );
  const body = withoutGaps(parts.flatMap((part) => part.lines).join("\n"));
  // If nothing is left, the person wrote in a place that is usually quoted.
  return body && body !== withoutGaps(whole) ? { body, shortened: true } : { body: given, shortened: false };
}

/**
 * What the person wrote themselves, for whatever others' words must not decide about. In doubt it is left out: quoted lines
 * between their answers, and all of a mail that they forward.
 *
 * @returns the words, which can be none, and whether there was something else
 */
export function ownWordsIn(text: string, subject = ""): { words: string; others: boolean } {
  const lines = linesOf(text.replace(/\r\n?/g, "\n").trim());
  const forwarded = lines.findIndex((line) => line.length <= MAX_HEADING && !QUOTED.test(line) && FORWARDED.test(line));
  const parts = partsOf(forwarded < 0 ? lines : lines.slice(0, forwarded));
  const written = parts.filter(({ kind }) => kind === "written").map(withoutSignature);
  // Without marks, nothing says where the mail ends that is answered.
  const isQuote = parts.length === 1 && attributionAt(lines, 0) > 0;
  return {
    words: isQuote ? "" : withoutGaps(written.flatMap((part) => part.lines).join("\n")),
    others: isQuote || forwarded >= 0 || written.length < parts.length || FORWARDED_SUBJECT.test(subject),
  };
}

const linesOf = (text: string): string[] =>
  text
    .replace(/\u00a0/g, " ")
    .split("\n")
    .map((line) => line.trimEnd());

const withoutGaps = (text: string): string => text.replace(/\n{3,}/g, "\n\n").trim();

function withoutOuterBreaks(text: string): string {
  let [from, to] = [0, text.length];
  while (text[from] === "\n") from++;
  while (to > from && text[to - 1] === "\n") to--;
  return text.slice(from, to);
}

/**
 * No heading of a quoted mail is longer, in characters. The patterns below see no longer text, so that what they cost a
 * character has a bound.
 */
const MAX_HEADING = 500;

const either = (words: string): string =>
  words
    .split("|")
    .map((word) => word.trim())
    .join("|");

const FORWARDED_SUBJECT = /^\s{0,20}(?:fwd?|wg|tr|doorst|rv|enc|i)\s{0,20}:/i;
const FORWARDED = new RegExp(
  `^[> \\t]*(?:-{2,}[ \\t]*(?:${either(`
    forwarded message | weitergeleitete nachricht | message transféré | doorgestuurd bericht | mensaje reenviado | messaggio inoltrato |
    mensagem encaminhada | videresendt (?:meddelelse|besked|melding) | vidarebefordrat meddelande
  `)})[ \\t]*-{2,}|(?:${either(`
    begin forwarded message | anfang der weitergeleiteten nachricht | début du message (?:réexpédié|transféré) | begin doorgestuurd bericht
  `)})[ \\t]*:)$`,
  "i",
);

/** `On …, Ada wrote:` as the mail programs write it, also over up to three lines. */
const ATTRIBUTION = new RegExp(
  `^(?:${either(`
    on | at | am | le | op | el | il | in data | em | den | dne | dnia | w dniu |
    man | mon | mån | tir | tirs | tis | ons | tor | tors | fre | lør | lör | søn | sön | ma | ti | ke | to | pe | la | su
  `)})[\\s.].{3,300}?[\\s>](?:${either(`
    wrote | schrieb(?: .{1,150})? | a écrit | schreef(?: .{1,150})? | escribió | ha scritto | escreveu | skrev(?: .{1,150})? |
    napsal\\S{0,5} | napisał\\S{0,5} | pisze | kirjoitti
  `)}) ?:$`,
  "i",
);
/** Verbs at the end of an attribution that begins with the date or the name. */
const WROTE = either(`
  wrote | schrieb | a écrit | schreef | escribió | ha scritto | escreveu | skrev | napsal\\S{0,5} | napisał\\S{0,5} | pisze | kirjoitti |
  написала? | пишет? | пише
`);
/** `2025-11-18 10:12 GMT+01:00 Ada <ada@example.org>:`, and the same with the name of a day or a month, or a verb instead of an address. */
const ATTRIBUTION_DATE_FIRST = new RegExp(
  `^(?:\\p{L}{2,12}\\.?,?\\s)?(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|\\d{1,2}\\.?\\s\\p{L}{3,12}\\.?\\s\\d{4})[,\\s].{3,300}(?:>|[>\\s](?:${WROTE})) ?:$`,
  "iu",
);
/** `Ada <ada@example.org> wrote:` */
const ATTRIBUTION_OF_ADDRESS = new RegExp(`^.{0,120}<[^<>\\s]{3,200}>\\s(?:${WROTE}) ?:$`, "i");
/** `Ada <ada@example.org> schrieb am …:` */
const ATTRIBUTION_NAME_FIRST = /\s(?:schrieb am|wrote on|schreef op|a écrit le|skrev den)\s.{6,80}:$/i;
/** `---- On … <ada@example.org> wrote ----`, and the same without dashes. */
const ATTRIBUTION_WITHOUT_COLON = /^(?:-{2,}\s?)?on\s.{4,300}<[^<>\s]{3,200}>\s?wrote(?:\s?-{2,})?$/i;
/** That it names a mail, rather than being a sentence of the person: a year, a time, or an address. */
const NAMES_A_MAIL = /\b(?:19|20)\d\d\b|\d{1,2}[:.h]\d\d|@/;

const SEPARATOR = new RegExp(
  `^\\*?-{2,}[ \\t]*(?:${either(`
    original message | original appointment | ursprüngliche nachricht | original nachricht | original[ -]nachricht | originalnachricht | urspr\\. nachricht |
    message d['’]origine | message original | oorspronkelijk bericht | mensaje original | messaggio originale | mensagem original |
    oprindelig (?:meddelelse|besked) | opprinnelig melding | ursprungligt meddelande | alkuperäinen viesti | oryginalna wiadomość |
    wiadomość oryginalna | původní zpráva
  `)})[ \\t]*-{2,}\\*?$`,
  "i",
);
/** One line of the head that Outlook copies before the mail that it answers. */
const headLine = (labels: string): RegExp => new RegExp(`^ {0,8}\\*?(?:${either(labels)}) ?:`, "i");
const HEAD = headLine("from | von | de | van | da | från | fra | od | lähettäjä | от");
const DATE = headLine("date | datum | fecha | data | dato");
const HEAD_MORE = [
  headLine(`sent | date | gesendet | datum | envoyé(?: le)? | verzonden | enviado(?: el)? | inviato | data | fecha | skickat | sendt |
    dato | wysłano | odesláno | lähetetty | отправлено | дата`),
  headLine("to | an | à | a | aan | para | till | til | do | komu | vastaanottaja | кому"),
  headLine(
    "subject | betreff | objet | sujet | onderwerp | asunto | oggetto | assunto | ämne | emne | temat | předmět | aihe | тема",
  ),
];
const QUOTED = /^>/;
/** The end of an address that Gmail broke before its last character: no quoted line. */
const ADDRESS_END = /^> ?:$/;

interface Part {
  kind: "written" | "quoted";
  /** It begins with who wrote it and when, so it is a mail and not a line that is answered. */
  attributed: boolean;
  lines: string[];
}

/** What the person wrote and what they quote, in turn. */
function partsOf(lines: string[]): Part[] {
  const parts: Part[] = [];
  const add = (kind: Part["kind"], line: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, attributed: false, lines: [line] });
  };
  const addMail = (from: number, to?: number): void => {
    parts.push({ kind: "quoted", attributed: true, lines: lines.slice(from, to) });
  };
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    if (line === "" || QUOTED.test(line)) {
      // An empty line between quoted ones belongs to them.
      add(line !== "" || parts.at(-1)?.kind === "quoted" ? "quoted" : "written", line);
      at++;
      continue;
    }
    if (isHead(lines, at)) {
      addMail(at);
      break;
    }
    const attribution = attributionAt(lines, at);
    if (attribution) {
      let next = at + attribution;
      while (lines[next] === "") next++;
      if (next < lines.length && QUOTED.test(lines[next]!)) {
        addMail(at, next);
        at = next;
        continue;
      }
      // This program does not mark what it quotes: it is all that follows.
      if (next < lines.length && at > 0) {
        addMail(at);
        break;
      }
    }
    add("written", line);
    at++;
  }
  return parts;
}

/** The number of lines that the attribution which begins here takes; 0 if none begins here. */
function attributionAt(lines: string[], at: number): number {
  let text = "";
  for (let count = 1; count <= 3 && at + count <= lines.length; count++) {
    const line = lines[at + count - 1]!;
    if (line === "" || (QUOTED.test(line) && !ADDRESS_END.test(line)) || text.length + line.length >= MAX_HEADING)
      return 0;
    text = text ? `${text} ${line}` : line;
    if (isAttribution(text)) return beginsLater(lines.slice(at, at + count)) ? 0 : count;
  }
  return 0;
}

/** What a person wrote right before an attribution may begin as one does, and is no part of it. A first line that says when belongs to it. */
function beginsLater(lines: string[]): boolean {
  const begins = ATTRIBUTION.test(lines.join(" ")) ? (text: string) => ATTRIBUTION.test(text) : isAttribution;
  return lines.some((_, at) => at > 0 && begins(lines.slice(at).join(" ")));
}

const isAttribution = (text: string): boolean =>
  (NAMES_A_MAIL.test(text) && ATTRIBUTION.test(text)) ||
  ATTRIBUTION_DATE_FIRST.test(text) ||
  (text.includes("@") &&
    [ATTRIBUTION_NAME_FIRST, ATTRIBUTION_WITHOUT_COLON, ATTRIBUTION_OF_ADDRESS].some((pattern) => pattern.test(text)));

function isHead(lines: string[], at: number): boolean {
  const matches = (pattern: RegExp, line: string | undefined): boolean =>
    line !== undefined && line.length <= MAX_HEADING && pattern.test(line);
  if (matches(SEPARATOR, lines[at])) return true;
  let from = at;
  const isRuled = matches(/^ ?(?:_{10,}|-{10,})$/, lines[at]);
  if (isRuled)
    do from++;
    while (from < at + 4 && lines[from] === "");
  const head = lines.slice(from, from + 9);
  // Below a line, it may begin with when.
  if (isRuled && matches(DATE, head[0]))
    return [HEAD, ...HEAD_MORE].every((pattern) => head.some((line) => matches(pattern, line)));
  if (!matches(HEAD, head[0])) return false;
  const more = head.slice(1);
  return HEAD_MORE.filter((pattern) => more.some((line) => matches(pattern, line))).length >= 2;
}

/** Leaves out one quoted mail before or after all that the person wrote. A quote between their words is what they answer there. */
function withoutQuote(parts: Part[]): Part[] {
  const quotes = parts.filter(({ kind }) => kind === "quoted");
  if (quotes.length !== 1) return parts;
  if (parts.at(-1) === quotes[0]) return parts.slice(0, -1);
  return parts[0] === quotes[0] && quotes[0]!.attributed ? parts.slice(1) : parts;
}

const SIGNATURE = /^--\s?$/;
const MAX_SIGNATURE_LINES = 20;
const MAX_SENT_FROM = 100;
const SENT_FROM =
  /^(?:sent from (?:my [^.,]{2,40}$|outlook|yahoo|mail for|proton)|get outlook for|(?:von meinem|gesendet (?:von|mit)) .{3,60}|envoyé (?:de(?:puis)? mon|à partir de) .{3,60}|verstuurd vanaf mijn .{3,40}|verzonden (?:vanaf|met|vanuit) .{3,60}|enviado desde mi .{3,40}|inviato da(?:l mio)? .{3,40}|sendt fra min .{3,40}|skickat från min .{3,40}|télécharger outlook|outlook für|diese nachricht wurde von meinem .{3,60} gesendet)/i;

function withoutSignature(part: Part): Part {
  if (part.kind === "quoted") return part;
  let { lines } = part;
  const at = lines.findIndex((line) => SIGNATURE.test(line));
  if (at >= 0 && lines.length - at <= MAX_SIGNATURE_LINES) lines = lines.slice(0, at);
  const last = lines.findLastIndex((line) => line !== "");
  if (last >= 0 && lines[last]!.length < MAX_SENT_FROM && SENT_FROM.test(lines[last]!)) lines = lines.slice(0, last);
  return { ...part, lines };
}
