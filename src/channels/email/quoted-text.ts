/**
 * What a person wrote now, without what their mail program put around it: the mail that is answered, and the signature. Answers
 * between quoted lines stay with what they answer. In doubt nothing is left out.
 */
export function fold(text: string, subject = ""): { body: string; folded: boolean } {
  const whole = text
    .replace(/\r\n?/g, "\n")
    .replace(/\u00a0/g, " ")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
  // What is passed on is what they want us to see.
  if (FORWARDED.test(subject) || FORWARD_LINE.test(whole)) return { body: whole, folded: false };
  const parts = withoutQuote(
    partsOf(whole.split("\n"))
      .map(withoutSignature)
      .filter(({ lines }) => lines.some(Boolean)),
  );
  const body = parts
    .flatMap(({ lines }) => lines)
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  // Where nothing is left, they wrote where nobody writes.
  return body && body !== whole ? { body, folded: true } : { body: whole, folded: false };
}

const FORWARDED = /^\s*(?:fwd?|wg|tr|doorst|rv|enc|i)\s*:/i;
const FORWARD_LINE =
  /^[>\s]*(?:-{2,}\s*(?:forwarded message|weitergeleitete nachricht|message transféré|doorgestuurd bericht|mensaje reenviado|messaggio inoltrato)\s*-{2,}|(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:réexpédié|transféré)|begin doorgestuurd bericht)\s*:)\s*$/im;

/** `On …, Ada wrote:` in the languages of the mail programs, also broken over up to three lines. */
const ATTRIBUTION =
  /^(?:(?:on|am|le|op|el|il|em|den|dne|w dniu)\b.{4,300}?\b(?:wrote|schrieb(?:\s.{1,150})?|a\s+écrit|schreef(?:\s.{1,150})?|escribió|ha\s+scritto|escreveu|skrev(?:\s.{1,150})?|napsal\S*|napisał\S*)\s*:|.{3,200}(?:<[^<>\s]+@[^<>\s]+>|@).{0,60}\s(?:schrieb am|wrote on|schreef op|a écrit le)\s.{6,80}:)$/i;
/** That it names a mail, rather than being a sentence of theirs: a year, a time, or an address. */
const OF_A_MAIL = /\b(?:19|20)\d\d\b|\d{1,2}[:.h]\d\d|@/;
const SEPARATOR =
  /^-{2,}\s*(?:original message|original appointment|ursprüngliche nachricht|original-nachricht|originalnachricht|message d['’]origine|message original|oorspronkelijk bericht|mensaje original|messaggio originale|mensagem original|urspr\. nachricht)\s*-{2,}$/i;
/** The head that Outlook copies before the mail that it answers. */
const HEAD = /^\*?(?:from|von|de|van|da|från|od)\s*:\*?\s*\S/i;
const HEAD_MORE = [
  /^\*?(?:sent|date|gesendet|datum|envoyé|verzonden|enviado(?: el)?|inviato|data|fecha|skickat)\s*:\*?\s*\S/i,
  /^\*?(?:to|an|à|aan|para|a|till)\s*:\*?\s*\S/i,
  /^\*?(?:subject|betreff|objet|onderwerp|asunto|oggetto|assunto|ämne)\s*:/i,
];
const QUOTED = /^>/;

interface Part {
  kind: "written" | "quoted";
  /** It says whose words follow, so that they are a mail rather than a line that is answered. */ named: boolean;
  lines: string[];
}

/** What they wrote and what they quote, in turn. */
function partsOf(lines: string[]): Part[] {
  const parts: Part[] = [];
  const add = (kind: Part["kind"], more: string[], named = false): void => {
    const last = parts.at(-1);
    // An empty line between quoted ones belongs to them.
    if (last?.kind === kind && !named) last.lines.push(...more);
    else parts.push({ kind, named, lines: [...more] });
  };
  for (let at = 0; at < lines.length;) {
    const head = headAt(lines, at);
    if (head) {
      add("quoted", lines.slice(at), true);
      break;
    }
    const attribution = attributionAt(lines, at);
    if (attribution) {
      const next = lines.findIndex((line, index) => index >= at + attribution && line !== "");
      if (next >= 0 && QUOTED.test(lines[next]!)) {
        add("quoted", lines.slice(at, next), true);
        at = next;
        continue;
      }
      // A program that does not mark what it quotes: it is all that follows.
      if (next >= 0 && at > 0) {
        add("quoted", lines.slice(at), true);
        break;
      }
    }
    const quoted = QUOTED.test(lines[at]!) || (lines[at] === "" && parts.at(-1)?.kind === "quoted");
    add(quoted ? "quoted" : "written", [lines[at]!]);
    at++;
  }
  return parts;
}

/** How many lines an attribution takes that begins here; 0 where none does. */
function attributionAt(lines: string[], at: number): number {
  for (let count = 1; count <= 3 && at + count <= lines.length; count++) {
    const some = lines.slice(at, at + count);
    if (some.some((line) => line === "" || QUOTED.test(line))) return 0;
    const text = some.join(" ");
    if (ATTRIBUTION.test(text) && OF_A_MAIL.test(text)) return count;
  }
  return 0;
}

function headAt(lines: string[], at: number): boolean {
  const first = lines[at]!;
  if (SEPARATOR.test(first)) return true;
  const from = /^_{10,}$/.test(first) ? lines.slice(at + 1, at + 4).findIndex((line) => line !== "") + at + 1 : at;
  if (!HEAD.test(lines[from] ?? "")) return false;
  const more = lines.slice(from + 1, from + 9);
  return HEAD_MORE.filter((pattern) => more.some((line) => pattern.test(line))).length >= 2;
}

/** One quoted mail before or behind all that they wrote goes; what stands between their words they answer there. */
function withoutQuote(parts: Part[]): Part[] {
  const quotes = parts.filter(({ kind }) => kind === "quoted");
  if (quotes.length !== 1) return parts;
  if (parts.at(-1) === quotes[0]) return parts.slice(0, -1);
  return parts[0] === quotes[0] && quotes[0]!.named ? parts.slice(1) : parts;
}

const SIGNATURE = /^--\s?$/;
const LONGEST_SIGNATURE = 20;
const SENT_FROM =
  /^(?:sent from (?:my |outlook|yahoo|mail for|proton)|get outlook for|(?:von meinem|gesendet (?:von|mit)) .{3,60}|envoyé (?:de(?:puis)? mon|à partir de) .{3,60}|verstuurd vanaf mijn .{3,40}|verzonden (?:vanaf|met|vanuit) .{3,60}|enviado desde mi .{3,40}|inviato da(?:l mio)? .{3,40}|télécharger outlook|outlook für|diese nachricht wurde von meinem .{3,60} gesendet)/i;

function withoutSignature(part: Part): Part {
  if (part.kind === "quoted") return part;
  let { lines } = part;
  const at = lines.findIndex((line) => SIGNATURE.test(line));
  if (at >= 0 && lines.length - at <= LONGEST_SIGNATURE) lines = lines.slice(0, at);
  const last = lines.findLastIndex((line) => line !== "");
  if (last >= 0 && lines[last]!.length < 100 && SENT_FROM.test(lines[last]!)) lines = lines.slice(0, last);
  return { ...part, lines };
}
