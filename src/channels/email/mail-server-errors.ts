import { OutboundError } from "../../platform/outbound/outbound.client.js";
import { Undeliverable } from "../../platform/outbox/outbox.service.js";
import { ChannelError } from "../channel-kind.js";
import { deliveryReason } from "./delivery-reason.js";

/** An error of a connection to a mail server, from Node or nodemailer. */
interface MailFault extends Error {
  code?: string;
  responseCode?: number;
  /** What the server said. */
  response?: string;
  command?: string;
  cause?: unknown;
}

/** Exchange says so where SMTP AUTH is turned off, which is its default. */
const SMTP_AUTH_OFF = /5\.7\.139|SmtpClientAuthentication/;

/** The server does not take the user name and the password, or the token. */
export class LoginRefused extends ChannelError {
  constructor(
    private readonly server: string,
    private readonly said = "",
    /** What somebody has to look at if it refuses a new token, too. */
    private readonly check = "its permissions, and whether IMAP and SMTP are turned on",
  ) {
    super(`${server} refused the user name or the password`, true);
  }

  /** The same about a token. */
  ofToken(address: string): string {
    return SMTP_AUTH_OFF.test(this.said)
      ? `${this.server} does not let programs send for ${address}: SMTP AUTH is turned off there`
      : `${this.server} does not open the mailbox ${address} to this sign-in: check ${this.check}`;
  }
}

const TLS = /^(?:ETLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH)/;
const TLS_MESSAGE = /certificate|\bssl\b|\btls\b|wrong version number/i;
/** What is wrong with a secure connection, and what to do. nodemailer and imapflow may keep only the message of Node's error. */
const TLS_CAUSES: readonly (readonly [fault: RegExp, sentence: string])[] = [
  [
    /DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER|VERIFY_LEAF)|self-signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate/,
    "has a certificate of an authority that nobody here knows: name a file with that authority's certificate in NODE_EXTRA_CA_CERTS, and start Parley again",
  ],
  [
    /ALTNAME_INVALID|HOSTNAME_MISMATCH|does not match certificate/,
    "has a certificate for another name: use a host that its certificate names",
  ],
  [/CERT_HAS_EXPIRED|certificate has expired/, "has a certificate that has expired: renew it"],
  [
    /wrong version number|packet length too long|WRONG_VERSION_NUMBER|STARTTLS/i,
    "speaks no TLS in this way at this port: check the port, and whether it wants tls or starttls",
  ],
];
const UNTRUSTED =
  "has no secure connection that can be trusted: check its certificate, the port, and whether it wants tls or starttls";

/**
 * Explains an error of a connection to an operator.
 * @param server for example `The mail server for sending (smtp.example.com:465)`
 */
export function explain(error: unknown, server: string): ChannelError {
  if (error instanceof ChannelError) return error;
  const { code = "", message, responseCode, command } = error as MailFault;
  if (error instanceof OutboundError)
    return new ChannelError(
      message.startsWith("The host")
        ? `${server} is unknown, or not on the public internet`
        : `${server} did not answer in time`,
    );
  // 454: the server says that the refusal is temporary.
  if (code === "EAUTH")
    return responseCode === 454
      ? new ChannelError(`${server} cannot check the password at the moment`)
      : new LoginRefused(server, (error as MailFault).response);
  if (code === "EDNS" || code === "ENOTFOUND" || code === "EAI_AGAIN") return new ChannelError(`${server} is unknown`);
  if (TLS.test(code) || (code === "ESOCKET" && TLS_MESSAGE.test(message) && !/ECONN/.test(message)))
    return new ChannelError(
      `${server} ${TLS_CAUSES.find(([fault]) => fault.test(`${code} ${message}`))?.[1] ?? UNTRUSTED}`,
    );
  if (/ECONNREFUSED/.test(code + message))
    return new ChannelError(`${server} refuses the connection: nothing listens on the port`);
  if (/ETIMEDOUT|timed? ?out/i.test(code + message)) return new ChannelError(`${server} did not answer in time`);
  if (/EHOSTUNREACH|ENETUNREACH/.test(code + message)) return new ChannelError(`${server} cannot be reached`);
  if (responseCode !== undefined && command === "CONN")
    return new ChannelError(`${server} turned us away with ${responseCode}`);
  return new ChannelError(`${server} ended the connection`);
}

/** Explains why a mail was not sent: because of the mail itself, or because of the server (`ChannelError`). */
export function explainDelivery(error: unknown, server: string): Error {
  const { code = "", responseCode, response } = error as MailFault;
  if (responseCode === undefined || !["EENVELOPE", "EMESSAGE"].includes(code)) return explain(error, server);
  // 421: the server is closing the connection.
  if (responseCode === 421) return new ChannelError(`${server} turned us away with 421`);
  const why = deliveryReason(undefined, response);
  const refused = code === "EENVELOPE" ? "does not take mail to this address" : "does not take this mail";
  const sentence = `${server} ${refused}: ${responseCode}${why ? `, ${why}` : ""}`;
  return responseCode >= 500 ? new Undeliverable(sentence) : new Error(sentence);
}
