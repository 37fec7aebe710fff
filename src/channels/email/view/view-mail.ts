import type { Attachment } from "mailparser";
import { readMail } from "../read-mail.js";
import { cleanHtml, type CleanHtml, contentId, type Pictures } from "./clean-html.js";
import { isPicture } from "./picture.js";

/** Bytes of pictures that a page gets. Others stay files of the message. */
export const MAX_PICTURES = 8 * 1_048_576;

export interface MailToView {
  source: ArrayBuffer;
  /** Remote pictures as `data:` URLs, by their address. */
  remote: Pictures;
}

/** The formatted part of a mail, safe to show, with the pictures that came with it. The page is empty if it has none. */
export async function viewMail({ source, remote }: MailToView): Promise<CleanHtml> {
  const { html, attachments } = await readMail(Buffer.from(source), {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepCidLinks: true,
  });
  return cleanHtml(html || "", new Map([...remote, ...picturesOf(attachments)]));
}

function picturesOf(attachments: readonly Attachment[]): [string, string][] {
  let room = MAX_PICTURES;
  return attachments.flatMap(({ cid, contentType, content }): [string, string][] => {
    if (!cid || !isPicture(contentType, content) || (room -= content.length) < 0) return [];
    return [[contentId(cid), dataUrl(contentType, content)]];
  });
}

export const dataUrl = (type: string, bytes: Buffer): string =>
  `data:${type.toLowerCase()};base64,${bytes.toString("base64")}`;
