import { Injectable } from "@nestjs/common";
import { ChannelError, type OpenChannel } from "../../channel-kind.js";
import type { EmailCredentials, EmailSettings } from "../email.settings.js";
import { LoginRefused } from "../mail-server-errors.js";
import { MailboxTokens } from "./mailbox-tokens.js";

/** What a mail server gets at a sign-in: a password, or a token (XOAUTH2). */
export type MailLogin = { user: string; pass: string } | { user: string; accessToken: string };

/** How channels sign in to their mail servers. */
@Injectable()
export class MailboxLogins {
  constructor(private readonly tokens: MailboxTokens) {}

  /** Does work that begins with a sign-in to the server for sending. See `receive`. */
  send<T>(channel: OpenChannel, work: (login: MailLogin) => Promise<T>): Promise<T> {
    return this.signIn(channel, "smtp", work);
  }

  /**
   * Does work that begins with a sign-in to the server for receiving. If the server refuses a token, the work is done once more
   * with a new one: a provider can end a token before its time.
   * @throws ChannelError
   */
  receive<T>(channel: OpenChannel, work: (login: MailLogin) => Promise<T>): Promise<T> {
    return this.signIn(channel, "imap", work);
  }

  /** A token for a connection that opens later. @param refused one that the server has just refused */
  token(channel: OpenChannel, refused?: string): Promise<string> {
    return this.tokens.of(channel, refused);
  }

  private async signIn<T>(
    channel: OpenChannel,
    server: "smtp" | "imap",
    work: (login: MailLogin) => Promise<T>,
  ): Promise<T> {
    if (!signsIn(channel)) return work(passwordFor(channel.credentials as EmailCredentials, server));
    const user = channel.address!;
    const accessToken = await this.tokens.of(channel);
    try {
      return await work({ user, accessToken });
    } catch (error) {
      if (!(error instanceof LoginRefused)) throw error;
    }
    try {
      return await work({ user, accessToken: await this.tokens.of(channel, accessToken) });
    } catch (error) {
      throw error instanceof LoginRefused ? new ChannelError(error.ofToken(user), true) : error;
    }
  }
}

/** Each server can have a password of its own. */
export const passwordFor = (
  { username, password, smtpUsername, smtpPassword }: EmailCredentials,
  server: "smtp" | "imap",
): { user: string; pass: string } =>
  server === "smtp"
    ? { user: smtpUsername ?? username, pass: smtpPassword ?? password }
    : { user: username, pass: password };

/** Whether the channel has tokens instead of a password. */
export const signsIn = ({ settings }: Pick<OpenChannel, "settings">): boolean =>
  Boolean((settings as EmailSettings).signIn);

/** The account at the server for receiving. */
export const accountOf = (channel: Pick<OpenChannel, "address" | "settings" | "credentials">): string =>
  signsIn(channel) ? channel.address! : (channel.credentials as EmailCredentials).username;
