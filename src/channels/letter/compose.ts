import { fill, type Values } from "../../conversations/canned-replies/template.js";
import type { BodyFormat, MessageEntity } from "../../conversations/conversation.entity.js";
import type { Quote } from "../../conversations/quote.js";
import type { Recipients } from "../../conversations/participants/recipients.js";
import type { Tx } from "../../platform/database/transaction.js";
import { FIND_FRAME, FIND_QUOTED, type FrameRow } from "./frame.queries.js";
import type { Letter, Quoted, Submitted } from "./letter.js";
import { wroteLine } from "./words.js";

/** What is quoted of a conversation, at most. */
const MAX_QUOTED = 20;
const MAX_QUOTED_CHARACTERS = 100_000;

export interface Outgoing {
  conversationId: string;
  body: string;
  format: BodyFormat;
  authorType: MessageEntity["authorType"];
  /** Whose signature it has. */
  memberId: string | null;
  /** Messages before this one are quoted; null: all. */
  sequence: number | null;
  /** Undefined: as the mailbox has it, and nothing if the mail goes to others than the contact. */
  quote: Quote | undefined;
  recipients?: Recipients | null;
  calendar?: Letter["letter"]["calendar"];
}

/** What of a letter goes around its text. Without a mailbox nothing does. */
type Frame = Letter["letter"];

/** Reads what goes with a mail, in the transaction of its message. */
export async function composeLetter(tx: Tx, outgoing: Outgoing): Promise<Pick<Letter, "body" | "letter">> {
  const { conversationId, body, format, authorType, memberId, recipients, calendar } = outgoing;
  const [row] = await tx.query(FIND_FRAME, { conversationId, memberId });
  if (!row) return { body, letter: { format, language: "en", timeZone: "UTC" } };
  const { language, timeZone } = row;
  // The mailbox's own way of quoting is for the contact.
  const usual = recipients?.to.length ? "none" : ((row.quote as Quote | null) ?? "none");
  // What Parley says itself, such as a code, answers nothing.
  const quote = authorType === "system" ? "none" : (outgoing.quote ?? usual);
  const quoted = quote === "none" ? [] : await quotedIn(tx, row, outgoing, quote);
  const submitted = submittedBy(authorType, row.isAssistants);
  return {
    body,
    letter: {
      format,
      language,
      timeZone,
      ...(submitted && { submitted }),
      ...(calendar && { calendar }),
      ...frameOf(row),
      ...(quoted.length && { quoted }),
    },
  };
}

/** What goes around a text, filled in. Members see it before they send. */
function frameOf({
  signature,
  footer,
  logoUrl,
  brand,
  values,
}: FrameRow): Pick<Frame, "signature" | "footer" | "logo"> {
  const [signed, closing] = [signature, footer].map((text) => text && filledIn(text, values));
  return {
    ...(signed && { signature: signed }),
    ...(closing && { footer: closing }),
    ...(logoUrl && { logo: { url: logoUrl, name: brand } }),
  };
}

/** Nobody sees a signature before it leaves. A line whose variable has no value is left out. */
function filledIn(text: string, values: Values): string {
  return text
    .split("\n")
    .flatMap((line) => {
      const { body, missing } = fill(line, values);
      return missing.length ? [] : [body];
    })
    .join("\n")
    .trim();
}

async function quotedIn(
  tx: Tx,
  { language, timeZone }: FrameRow,
  { conversationId, sequence }: Pick<Outgoing, "conversationId" | "sequence">,
  quote: Quote,
): Promise<Quoted[]> {
  const lastOnly = quote === "last";
  const limit = lastOnly ? 1 : MAX_QUOTED;
  const found = await tx.query(FIND_QUOTED, { conversationId, before: sequence, lastOnly, limit });
  const quoted: Quoted[] = [];
  let characters = 0;
  for (const { body, format, at, name } of found) {
    characters += body.length;
    if (characters > MAX_QUOTED_CHARACTERS) break;
    quoted.push({ body, format, heading: wroteLine(language, timeZone, { at, name }) });
  }
  return quoted;
}

/** Who wrote it, if no person did. What a program sends while the assistant has the conversation stands for the assistant. */
function submittedBy(authorType: MessageEntity["authorType"], isAssistants: boolean): Submitted | undefined {
  if (authorType === "system") return "auto-generated";
  return authorType === "assistant" || (authorType === "api" && isAssistants) ? "auto-replied" : undefined;
}

/** What would be quoted in a reply that is written now. */
export async function frameNow(
  tx: Tx,
  asked: { conversationId: string; memberId: string | null; quote: Quote | undefined },
): Promise<(Pick<Frame, "signature" | "footer" | "logo" | "language"> & { quoted: Quoted[] }) | undefined> {
  const [row] = await tx.query(FIND_FRAME, asked);
  if (!row) return undefined;
  const quote = asked.quote ?? (row.quote as Quote | null) ?? "none";
  const quoted = quote === "none" ? [] : await quotedIn(tx, row, { ...asked, sequence: null }, quote);
  return { language: row.language, ...frameOf(row), quoted };
}
