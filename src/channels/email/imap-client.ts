import net from "node:net";
import { domainToASCII } from "node:url";
import type { ImapFlow, MailboxObject } from "imapflow";
import { ChannelError } from "../channel-kind.js";
import { signaturesFor } from "./dkim.js";
import type { OwnMail } from "./domain/dkim-key.js";
import type { MailServerSettings } from "./email.settings.js";
import { headerFieldsOf } from "./header-fields.js";
import { addressOf } from "./mail-headers.js";
import { explain } from "./mail-server-errors.js";
import type { MailLogin } from "./sign-in/mailbox-logins.js";

export const receiving = ({ host, port }: MailServerSettings): string =>
  `The mail server for receiving (${host}:${port})`;

/** The server refuses for now; the password may be right. */
const TEMPORARY = new Set(["UNAVAILABLE", "LIMIT", "INUSE", "SERVERBUG", "CONTACTADMIN"]);
/** A mail is fetched in pieces of this size. */
export const PIECE_BYTES = 1_048_576;
/** Enough for the numbers of half a million mails. What a server sends without being asked takes no more memory. */
const MAX_LINE_BYTES = 4 * 1_048_576;

/** Of the newest mails that may be from an address. */
const MAX_LOOKED_AT = 5;

interface ImapFault extends Error {
  authenticationFailed?: boolean;
  responseStatus?: string;
  serverResponseCode?: string;
  tlsFailed?: boolean;
}

/**
 * Signs in.
 * @param server `host` is the name that its certificate must have
 * @param address the IP address of the server, which was checked to be allowed
 * @throws ChannelError
 */
export async function signIn(
  server: MailServerSettings,
  address: string,
  login: MailLogin,
  timeoutMs: number,
): Promise<ImapFlow> {
  const { host, port, security } = server;
  const servername = net.isIP(host) ? undefined : host;
  // Read for the first mailbox: it needs 4 MB.
  const { ImapFlow: Client } = await import("imapflow");
  const client = new Client({
    host: address,
    port,
    secure: security === "tls",
    ...(security !== "tls" && { doSTARTTLS: security === "starttls" }),
    servername,
    tls: { servername },
    auth: login,
    clientInfo: { name: "Parley" },
    // Mails and passwords must not reach the log.
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: Math.max(timeoutMs, 60_000),
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: 2 * PIECE_BYTES,
    maxResponseSize: 2 * MAX_LINE_BYTES,
  });
  // The failing command and `close` report the error.
  client.on("error", () => undefined);
  const limit = closeAfter(timeoutMs, client);
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    throw explain(limit.isOver ? TIMED_OUT : faultOf(error as ImapFault, server), receiving(server));
  } finally {
    limit.end();
  }
}

const TIMED_OUT = Object.assign(new Error("timed out"), { code: "ETIMEDOUT" });

/** Closes a client that takes too long. What it was doing then fails as if the server had ended the connection. */
function closeAfter(timeoutMs: number, client: ImapFlow): { readonly isOver: boolean; end(): void } {
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    client.close();
  }, timeoutMs);
  return {
    get isOver() {
      return isOver;
    },
    end: () => clearTimeout(timer),
  };
}

export interface Inbox extends Pick<MailboxObject, "exists">, Partial<Pick<MailboxObject, "uidNext" | "uidValidity">> {
  own?: OwnMail | undefined;
}

/** @param sender whose newest mail is looked for, if there is time. @throws ChannelError */
export async function lookIntoInbox(
  server: MailServerSettings,
  address: string,
  login: MailLogin,
  timeoutMs: number,
  sender?: string,
): Promise<Inbox> {
  const client = await signIn(server, address, login, timeoutMs);
  const limit = closeAfter(timeoutMs, client);
  try {
    const inbox = await client.mailboxOpen("INBOX", { readOnly: true });
    // Whatever goes wrong here, the inbox can be read.
    const own = sender === undefined ? undefined : await newestFrom(client, sender).catch(() => undefined);
    return { ...inbox, own };
  } catch (error) {
    throw (error as ImapFault).responseStatus === "NO"
      ? new ChannelError("The mail server for receiving shows no inbox")
      : explain(limit.isOver ? TIMED_OUT : error, receiving(server));
  } finally {
    limit.end();
    client.close();
  }
}

/** Who signed the newest mail from an address. Servers also find addresses that only contain it. */
async function newestFrom(client: ImapFlow, sender: string): Promise<OwnMail | undefined> {
  const uids = ((await client.search({ from: sender }, { uid: true })) || []).slice(-MAX_LOOKED_AT);
  if (uids.length === 0) return undefined;
  const mails = await client.fetchAll(uids, { uid: true, headers: ["from", "dkim-signature"] }, { uid: true });
  const domain = domainToASCII(sender.slice(sender.lastIndexOf("@") + 1));
  for (const { headers } of mails.sort((one, other) => other.uid - one.uid)) {
    const fields = headers ? (headerFieldsOf(headers)?.fields ?? []) : [];
    const from = fields.find(({ name }) => name === "from")?.value.trim() ?? "";
    if (addressOf(/<([^<>]*)>\s*$/.exec(from)?.[1] ?? from) === sender)
      return { signatures: signaturesFor(domain, fields, 1) };
  }
  return undefined;
}

/** An IMAP error in the form that `explain` knows. */
function faultOf(error: ImapFault, server: MailServerSettings): Error {
  if (error.tlsFailed) return Object.assign(new Error(error.message), { code: "ETLS" });
  // imapflow marks any error during sign-in so. Only `NO` means that the server refused.
  if (!error.authenticationFailed || error.responseStatus !== "NO") return error;
  return TEMPORARY.has(error.serverResponseCode ?? "")
    ? new ChannelError(`${receiving(server)} cannot check the password at the moment`)
    : Object.assign(new Error("refused"), { code: "EAUTH" });
}
