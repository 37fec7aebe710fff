import net from "node:net";
import { ImapFlow } from "imapflow";
import { ChannelError } from "../channel-kind.js";
import type { EmailCredentials, MailServerSettings } from "./email.settings.js";
import { MAX_MAIL_BYTES } from "./fetched-mail.js";
import { explain } from "./mail-server-errors.js";

export const receiving = ({ host, port }: MailServerSettings): string =>
  `The mail server for receiving (${host}:${port})`;

/** For now a server that takes no more, or cannot look: the password may well be right. */
const FOR_NOW = new Set(["UNAVAILABLE", "LIMIT", "INUSE", "SERVERBUG", "CONTACTADMIN"]);
const MOST_OF_AN_ANSWER = MAX_MAIL_BYTES + 1_048_576;

interface ImapFault extends Error {
  authenticationFailed?: boolean;
  responseStatus?: string;
  serverResponseCode?: string;
  tlsFailed?: boolean;
}

/**
 * Signs in, at the address that was checked.
 * @param server its `host` is the name that its certificate has to show
 * @throws ChannelError
 */
export async function signIn(
  server: MailServerSettings,
  address: string,
  { username, password }: EmailCredentials,
  timeoutMs: number,
): Promise<ImapFlow> {
  const { host, port, security } = server;
  const servername = net.isIP(host) ? undefined : host;
  const client = new ImapFlow({
    host: address,
    port,
    secure: security === "tls",
    ...(security !== "tls" && { doSTARTTLS: security === "starttls" }),
    servername,
    tls: { servername },
    auth: { user: username, pass: password },
    clientInfo: { name: "Parley" },
    // Nothing of it is logged: neither what people write nor what we sign in with.
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: Math.max(timeoutMs, 60_000),
    maxLineLength: MOST_OF_AN_ANSWER,
    maxLiteralSize: MOST_OF_AN_ANSWER,
    maxResponseSize: 2 * MOST_OF_AN_ANSWER,
  });
  // What breaks is told by the command that it breaks, and by `close`.
  client.on("error", () => undefined);
  const late = setTimeout(() => client.close(), timeoutMs);
  const began = Date.now();
  try {
    await client.connect();
    return client;
  } catch (error) {
    client.close();
    if (Date.now() - began >= timeoutMs)
      throw explain(Object.assign(new Error("timed out"), { code: "ETIMEDOUT" }), receiving(server));
    throw explain(faultOf(error as ImapFault, server), receiving(server));
  } finally {
    clearTimeout(late);
  }
}

/** @returns how many mails are in the inbox; @throws ChannelError */
export async function lookIntoInbox(
  server: MailServerSettings,
  address: string,
  credentials: EmailCredentials,
  timeoutMs: number,
): Promise<number> {
  const client = await signIn(server, address, credentials, timeoutMs);
  const late = setTimeout(() => client.close(), timeoutMs);
  try {
    return (await client.mailboxOpen("INBOX", { readOnly: true })).exists;
  } catch (error) {
    throw (error as ImapFault).responseStatus === "NO"
      ? new ChannelError("The mail server for receiving shows no inbox")
      : explain(error, receiving(server));
  } finally {
    clearTimeout(late);
    client.close();
  }
}

/** In the terms of `explain`. */
function faultOf(error: ImapFault, server: MailServerSettings): Error {
  if (error.tlsFailed) return Object.assign(new Error("no STARTTLS"), { code: "ETLS" });
  // Any error on the way is marked so: that the server said no is another matter.
  if (!error.authenticationFailed || error.responseStatus !== "NO") return error;
  return FOR_NOW.has(error.serverResponseCode ?? "")
    ? new ChannelError(`${receiving(server)} cannot check the password at the moment`)
    : Object.assign(new Error("refused"), { code: "EAUTH" });
}
