import { Moved, serveJobs } from "../../platform/workers/serve-jobs.js";
import type { FetchedMail } from "./fetched-mail.js";
import { parseMail } from "./parse-mail.js";
import type { ParsedMessage } from "./parsed-message.js";
import { verifySignatures } from "./verify-signatures.js";
import { type MailToView, viewMail } from "./view/view-mail.js";
import type { CleanHtml } from "./view/clean-html.js";

type MailToParse = Omit<FetchedMail, "source"> & { source: ArrayBuffer; channelAddress: string };
/** The bytes come back, because the process may have to keep the mail itself. */
interface Parsed {
  message: ParsedMessage;
  source: ArrayBuffer;
}

export interface SignedMail {
  source: Uint8Array;
  sender: string;
  domain: string;
  keys: ReadonlyMap<string, string[][]>;
}

const jobs = {
  verify: ({ source, sender, domain, keys }: SignedMail): Promise<string[]> =>
    verifySignatures(Buffer.from(source.buffer, source.byteOffset, source.byteLength), sender, domain, keys),
  view: (mail: MailToView): Promise<CleanHtml> => viewMail(mail),
  parse: async ({ source, channelAddress, ...mail }: MailToParse): Promise<Moved<Parsed>> => {
    const message = await parseMail({ ...mail, source: Buffer.from(source) }, channelAddress);
    const files = message.files.map((file) => ({ ...file, bytes: alone(file.bytes) }));
    return new Moved({ message: { ...message, files }, source }, [
      source,
      ...new Set(files.map(({ bytes }) => bytes.buffer as ArrayBuffer)),
    ]);
  },
};
export type MailJobs = typeof jobs;

/** The same bytes in memory that they share with nothing: only such memory can move. */
const alone = (bytes: Buffer): Buffer =>
  bytes.byteLength === bytes.buffer.byteLength
    ? bytes
    : Buffer.from(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);

serveJobs(jobs);
