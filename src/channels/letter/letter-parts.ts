import { attachmentsShownIn } from "../../platform/markdown/read-markdown.js";
import { plainText } from "../../platform/markdown/plain-text.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { type Letter, type LetterFiles, NO_FILES, type Quoted, type Written } from "./letter.js";
import { letterHtml } from "./letter-html.js";
import { filesLine } from "./words.js";

/** The two parts of a mail that say the same. */
export function partsOf(mail: Letter, files: LetterFiles): { text: string; html: string } {
  return { text: letterText(mail, files), html: letterHtml(mail, files) };
}

/** What people are shown of a mail that leaves. It is made when it is read: a list of mails reads only their subjects. */
export const shown = (mail: Letter): Mail => ({
  to: mail.to,
  subject: mail.subject,
  get body() {
    return letterText(mail, NO_FILES);
  },
  get html() {
    const pictures = new Map(attachmentsShownIn(mail.body).map((id) => [id, { width: null }]));
    return letterHtml(mail, { ...NO_FILES, pictures });
  },
});

/** Two dashes and a space: mail programs, and ours, know what follows as a signature. */
const SIGNATURE_MARK = "-- ";

const asText = ({ body, format }: Written): string => (format === "markdown" ? plainText(body) : body);

/** The plain part. The text of a message that is plain is in it as it was written. */
function letterText({ body, letter }: Letter, { links, linkedUntil }: LetterFiles): string {
  const { format, signature, footer, quoted = [], language, timeZone } = letter;
  const below = [signature, footer].filter((text) => text !== undefined).map(plainText);
  return [
    asText({ body, format }),
    ...(links.length
      ? [
          [
            filesLine(language, timeZone, linkedUntil),
            ...links.map(({ fileName, url }) => `- ${fileName} (${url})`),
          ].join("\n"),
        ]
      : []),
    ...(below.length ? [`${SIGNATURE_MARK}\n${below.join("\n\n")}`] : []),
    ...(quoted.length ? [quotedText(quoted)] : []),
  ].join("\n\n");
}

/** One quote, which programs fold as one. The lines between its messages are in it. */
function quotedText([newest, ...older]: readonly Quoted[]): string {
  const inside = [asText(newest!), ...older.map((one) => `${one.heading}\n${asText(one)}`)].join("\n\n");
  const lines = inside.split(/\r\n?|\n/).map((line) => (line && !line.startsWith(">") ? `> ${line}` : `>${line}`));
  return [newest!.heading, ...lines].join("\n");
}
