import { createHash } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { ChannelError, type OpenChannel } from "../../channel-kind.js";
import type { EmailSettings } from "../email.settings.js";
import { validityOf } from "../mailbox-progress.js";
import { graphOf } from "../sign-in/origins.js";
import { assertOwn, codeOf, GRAPH, GraphClient, IMMUTABLE, jsonOf, refusalOf, urlOf } from "./graph.client.js";

const PAGE = 50;
/** For a mail as large as we take. */
const SOURCE_MS = 140_000;
const ID = /^[\w+/=-]{1,600}$/;
/** Where to go on is no longer known, so reading begins anew. */
const FORGOTTEN = new Set(["syncstatenotfound", "resyncrequired", "syncstateinvalid", "errorinvalidsyncstatedata"]);

export interface GraphMail {
  id: string;
  /** The id as a number, for `MailboxEntity`. */
  uid: number;
  at: Date;
}

export interface GraphPage {
  mails: GraphMail[];
  /** The next page, or what to ask for the next changes. */
  link: string;
  isLast: boolean;
}

/** The inbox of a channel at Microsoft Graph. All methods throw ChannelError and TooSoon. */
@Injectable()
export class GraphInbox {
  constructor(private readonly graph: GraphClient) {}

  /** How many mails there are, and the newest one. */
  async look(channel: OpenChannel, timeoutMs?: number): Promise<{ exists: number; newest: GraphMail | undefined }> {
    const path =
      "mailFolders/inbox/messages?$top=1&$orderby=receivedDateTime%20desc&$select=receivedDateTime&$count=true";
    const answer = await this.graph.ask(channel, urlOf(channel, path), {
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    if (answer.status !== 200) throw refusalOf(channel, answer);
    const json = jsonOf(answer);
    const [newest] = mailsOf(json);
    const exists = json["@odata.count"];
    return { exists: typeof exists === "number" ? exists : newest ? 1 : 0, newest };
  }

  /** The mails that are new since `link`, or the first of them. Undefined: Graph no longer knows the link. */
  async page(channel: OpenChannel, link: string): Promise<GraphPage | undefined> {
    const answer = await this.graph.ask(channel, link, {
      headers: { prefer: `${IMMUTABLE}, odata.maxpagesize=${PAGE}` },
    });
    if (answer.status === 410 || FORGOTTEN.has(codeOf(answer).toLowerCase())) return undefined;
    if (answer.status !== 200) throw refusalOf(channel, answer);
    const json = jsonOf(answer);
    const next = json["@odata.nextLink"];
    const last = json["@odata.deltaLink"];
    const onward = typeof next === "string" ? next : typeof last === "string" ? last : "";
    assertOwn(channel, onward);
    return { mails: mailsOf(json), link: onward, isLast: typeof next !== "string" };
  }

  /** The first `most` bytes of a mail. Undefined: it is no longer there. */
  async source(channel: OpenChannel, id: string, most: number): Promise<Buffer | undefined> {
    const answer = await this.graph.ask(channel, urlOf(channel, `messages/${encodeURIComponent(id)}/$value`), {
      excerptBytes: most,
      timeoutMs: SOURCE_MS,
    });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw refusalOf(channel, answer);
    return answer.bytes;
  }
}

/** Where a mailbox is read from: what comes in at or after a time. Without one: all that it holds. */
export function beginning(channel: OpenChannel, since: Date | undefined): string {
  const from = since && `&$filter=${encodeURIComponent(`receivedDateTime ge ${since.toISOString()}`)}`;
  return urlOf(channel, `mailFolders/inbox/messages/delta?changeType=created&$select=receivedDateTime${from ?? ""}`);
}

/** Names the mailbox. Graph has no UIDVALIDITY. */
export const graphValidity = (channel: OpenChannel): string =>
  validityOf(
    { host: new URL(graphOf((channel.settings as EmailSettings).signIn!)!).host, port: 443 },
    channel.address!,
    0n,
  );

/** @throws ChannelError */
function mailsOf({ value }: Record<string, unknown>): GraphMail[] {
  if (!Array.isArray(value)) throw new ChannelError(`${GRAPH} gave an answer that is not valid`);
  return (value as Record<string, unknown>[])
    .filter((one) => !("@removed" in one))
    .map(({ id, receivedDateTime }) => {
      if (typeof id !== "string" || !ID.test(id)) throw new ChannelError(`${GRAPH} gave an answer that is not valid`);
      const at = new Date(String(receivedDateTime));
      return { id, uid: numberOf(id), at: Number.isNaN(at.getTime()) ? new Date() : at };
    });
}

/** 48 bits: two mails of one page do not meet there. */
const numberOf = (id: string): number =>
  Number.parseInt(createHash("sha256").update(id).digest("hex").slice(0, 12), 16);
