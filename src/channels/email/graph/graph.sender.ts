import { Injectable } from "@nestjs/common";
import type { SendMailOptions } from "nodemailer";
import { Undeliverable } from "../../../platform/outbox/outbox.service.js";
import type { OpenChannel } from "../../channel-kind.js";
import { codeOf, GRAPH, GraphClient, namedIn, refusalOf, urlOf } from "./graph.client.js";

/** What Graph takes in one request. The mail is in it as base64. */
const MAX_REQUEST_BYTES = 4_000_000;
/** How large a mail may be before it is base64, in MB. */
export const MAX_GRAPH_MB = 3;
const MIME = { "content-type": "text/plain" };
/** No base64, so no mail. */
const NO_MAIL = "*";
/** The account may not send at all, or not as this address. */
const OF_MAILBOX = /^ErrorSendAsDenied$|^ErrorAccountSuspend|^ErrorMessageSubmissionBlocked$|^ErrorAccessDenied$/;

/** Sends mails by Microsoft Graph, for mailboxes that have no SMTP. */
@Injectable()
export class GraphSender {
  constructor(private readonly graph: GraphClient) {}

  /**
   * Finds out whether the mailbox sends, and sends nothing: a request without a mail is refused as such only if the sign-in may send.
   * @throws ChannelError, TooSoon
   */
  async try(channel: OpenChannel, timeoutMs: number): Promise<void> {
    const answer = await this.post(channel, NO_MAIL, timeoutMs);
    if (answer.status !== 400 || OF_MAILBOX.test(codeOf(answer))) throw refusalOf(channel, answer);
  }

  /**
   * Graph says only that it has taken the mail. Without an answer, nobody knows whether it has: then it is sent again with the same
   * Message-ID, as by SMTP.
   * @throws ChannelError, TooSoon, Undeliverable
   */
  async send(channel: OpenChannel, mail: SendMailOptions): Promise<void> {
    const content = (await sourceOf(mail)).toString("base64");
    if (content.length > MAX_REQUEST_BYTES) throw new Undeliverable(`${GRAPH} takes no mail of this size`);
    const answer = await this.post(channel, content);
    const { status } = answer;
    if (status === 202) return;
    if (status === 413 || (status === 400 && !OF_MAILBOX.test(codeOf(answer))))
      throw new Undeliverable(`${GRAPH} does not take this mail: ${namedIn(answer)}`);
    throw refusalOf(channel, answer);
  }

  private post(channel: OpenChannel, content: string, timeoutMs?: number): ReturnType<GraphClient["ask"]> {
    return this.graph.ask(channel, urlOf(channel, "sendMail"), {
      method: "POST",
      content,
      headers: MIME,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }
}

/** The mail as it leaves, with its Bcc: Exchange takes the recipients from its header, and removes that line. */
async function sourceOf(mail: SendMailOptions): Promise<Buffer> {
  const { createTransport } = await import("nodemailer");
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return (await composer.sendMail(mail)).message as Buffer;
}
