import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { attachmentsShownIn } from "../../platform/markdown/read-markdown.js";
import { isLetter, type LetterFiles } from "../letter/letter.js";

export interface MailFile {
  id: string;
  fileName: string;
  contentType: string;
  /** Bytes. */
  size: number;
  width: number | null;
}
interface Placed extends LetterFiles {
  attached: readonly MailFile[];
}

const DEFAULT_MB = 20;
/** For so long a link in a mail works. A contact may be away for a while. */
const LINKED_DAYS = 30;
const DAY_MS = 86_400_000;
/** Base64 makes four bytes of three, and ends each line of 76. */
const encoded = (bytes: number): number => Math.ceil((bytes / 3) * 4 * (78 / 76)) + 500;
/** Kinds of pictures that mail programs show. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp)$/;

/**
 * Decides where the files of a mail go. Pictures that the text shows come first, then the others in their order, as far as the mail
 * has room. The rest are links. Only a Markdown text shows pictures.
 */
export function placeFiles(
  mail: Mail,
  files: readonly MailFile[],
  maxMb: number | undefined,
  linkUntil: (id: string, until: Date) => string,
): Placed {
  const named = new Set(isLetter(mail) && mail.letter.format === "markdown" ? attachmentsShownIn(mail.body) : []);
  const isShown = ({ id, contentType }: MailFile): boolean => named.has(id) && SHOWN.test(contentType);
  const linkedUntil = new Date(Date.now() + LINKED_DAYS * DAY_MS);
  // The text is in it twice, once with its tags.
  let room = (maxMb ?? DEFAULT_MB) * 1_000_000 - 3 * encoded(Buffer.byteLength(JSON.stringify(mail)));
  const fits = (file: MailFile): boolean => {
    if (encoded(file.size) > room) return false;
    room -= encoded(file.size);
    return true;
  };
  const fitting = new Set([...files.filter(isShown), ...files.filter((file) => !isShown(file))].filter(fits));
  const attached = files.filter((file) => fitting.has(file));
  return {
    attached,
    pictures: new Map(attached.filter(isShown).map(({ id, width }) => [id, { width }])),
    links: files
      .filter((file) => !fitting.has(file))
      .map(({ id, fileName, size }) => ({ fileName, size, url: linkUntil(id, linkedUntil) })),
    linkedUntil,
  };
}
