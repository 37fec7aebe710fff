import { HttpException, Injectable, Logger } from "@nestjs/common";
import { AttachmentsService, type KeptFile } from "../../conversations/attachments/attachments.service.js";
import type { ProviderCaller } from "../../platform/caller/caller.js";
import { provider } from "../../platform/caller/request-context.js";
import { MAX_ATTACHMENTS, MAX_BODY } from "../../conversations/messages.dto.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { describeError } from "../../platform/http/errors.js";
import type { OpenChannel } from "../channel-kind.js";
import { IncomingMessages } from "../incoming-messages.service.js";
import type { FetchedMail } from "./fetched-mail.js";
import { advance } from "./mailbox-progress.js";
import { ourId, type Report } from "./classify-mail.js";
import { parseMail, type ParsedMessage, unreadable } from "./parse-mail.js";

/** From one sender through one channel. Nobody writes as much by hand: beyond it, whatever the headers say, two machines answer each other. */
const MOST_AN_HOUR = 60;
/** Messages of a conversation that are looked at for it. */
const LATEST = 4 * MOST_AN_HOUR;

interface Thread {
  conversationId: string;
}
/** Of a conversation `c` on a channel `f`: its mails leave through this mailbox, as the answers to a contact form do. */
const FROM_HERE = `(c.channel_id = :channelId or (c.workspace_id = :workspaceId and f.type = 'contact_form'))`;

/** Turns mails into messages: each once, with the place in the mailbox in one transaction. */
@Injectable()
export class IncomingMail {
  private readonly log = new Logger("mail");

  constructor(
    private readonly db: Database,
    private readonly incoming: IncomingMessages,
    private readonly messages: MessagesService,
    private readonly attachments: AttachmentsService,
  ) {}

  /** @returns false where the mailbox is no longer the holder's, or the mail was taken in meanwhile: then nothing was done */
  async take(channel: OpenChannel, holder: string, fetched: FetchedMail): Promise<boolean> {
    const mail = await parseMail(fetched, channel.address!);
    try {
      return await this.takeIn(channel, holder, fetched, mail);
    } catch (error) {
      // It is this mail, rather than the database, that something stands against: what is certain of it is taken in.
      if (![400, 500].includes(describeError(error).status)) throw error;
      this.log.error(`a mail of channel ${channel.id} is taken in as unreadable: ${(error as Error).stack}`);
      return this.takeIn(channel, holder, fetched, unreadable(fetched, channel.address!));
    }
  }

  private async takeIn(
    channel: OpenChannel,
    holder: string,
    fetched: FetchedMail,
    mail: ParsedMessage,
  ): Promise<boolean> {
    const caller = provider("receiveMail", channel);
    const wanted = mail.nature !== "ours" && mail.nature !== "report";
    const { kept, missing } = wanted ? await this.keep(caller, mail) : { kept: [], missing: [] };
    const body = bodyOf(mail, missing);
    let worked = false;
    let used = false;
    try {
      return await this.db.transaction(caller, async (tx) => {
        [worked, used] = [false, false];
        tx.unseen();
        const mine = await advance(tx, channel.id, holder, fetched);
        if (mine)
          used =
            mail.nature === "report"
              ? await this.report(tx, channel, mail.report)
              : wanted && (await this.place(tx, channel, mail, body, kept));
        worked = true;
        return mine;
      });
    } finally {
      // Where only the answer to the commit was lost, their rows may stand: then the daily run decides.
      if (!worked || !used) await this.attachments.discard(kept);
    }
  }

  /** Its files, and all of it where they do not hold it all; what is refused is said. */
  private async keep(
    caller: ProviderCaller,
    { files, original, missing: before }: ParsedMessage,
  ): Promise<{ kept: KeptFile[]; missing: string[] }> {
    const kept: KeptFile[] = [];
    const missing = [...before];
    const keep = async (file: ParsedMessage["files"][number]): Promise<boolean> => {
      try {
        kept.push(await this.attachments.keep(caller, file));
        return true;
      } catch (error) {
        if (!(error instanceof HttpException)) throw error;
        missing.push(`${file.name || "A file without a name"}: ${error.message}`);
        return false;
      }
    };
    try {
      let refused = false;
      const most = original ? MAX_ATTACHMENTS - 1 : MAX_ATTACHMENTS;
      for (const file of files.slice(0, most)) refused = !(await keep(file)) || refused;
      if (files.length > most)
        missing.push(`${files.length - most} more files are in the mail: a message has ${MAX_ATTACHMENTS} at most`);
      // It would bring along what was refused.
      if (original && !refused) await keep(original);
      return { kept, missing };
    } catch (error) {
      await this.attachments.discard(kept);
      throw error;
    }
  }

  /** @returns whether the files are part of a message now */
  private async place(
    tx: Tx,
    channel: OpenChannel,
    mail: ParsedMessage,
    body: string,
    kept: readonly KeptFile[],
  ): Promise<boolean> {
    const { nature, externalId, from, subject, occurredAt } = mail;
    const known = await this.incoming.find(tx, channel.id, [externalId]);
    if (known) return false;
    const thread = await this.threadOf(tx, channel, mail);
    const automatic = nature !== "person";
    const flood = await this.floods(tx, channel, from.address);
    const beside =
      thread && automatic
        ? { ...thread, why: "Automatic reply" }
        : flood && {
            conversationId: thread?.conversationId ?? flood,
            why: `More than ${MOST_AN_HOUR} mails within an hour`,
          };
    if (!beside && nature === "autoReply") return false;
    if (beside && (await this.blocked(tx, beside.conversationId))) return false;
    const attachmentIds = await this.attachments.add(tx, kept);
    let created: boolean;
    if (beside) {
      // Nobody waits for an answer to it: it opens nothing, and is there to be read.
      ({ created } = await this.messages.noteWithin(tx, beside.conversationId, {
        body: `${beside.why} from ${from.address}:\n\n${body}`.slice(0, MAX_BODY),
        externalId,
        attachmentIds,
      }));
    } else {
      const taken = await this.incoming.receive(tx, channel, {
        from: { kind: "email", value: from.address, name: from.name },
        externalId,
        conversationId: thread?.conversationId ?? null,
        subject,
        body,
        occurredAt,
        attachmentIds,
        metadata: { email: from.address, ...(automatic && { automatic }) },
      });
      created = taken?.created ?? false;
    }
    // Of a sender who is blocked nothing is kept: the files go as those of any attachment that is deleted.
    if (!created) await this.attachments.withdraw(tx, attachmentIds);
    return true;
  }

  /**
   * The conversation that it answers, by a mail of ours or one that came in before; only where that is a conversation of the sender's:
   * whoever was sent a copy, or guessed an id, begins their own.
   */
  private async threadOf(tx: Tx, channel: OpenChannel, { answers, from }: ParsedMessage): Promise<Thread | undefined> {
    for (const id of answers) {
      const ours = ourId(id);
      const conversationId = ours
        ? await this.conversationOf(tx, ours)
        : (await this.incoming.find(tx, channel.id, [id]))?.conversationId;
      if (!conversationId) continue;
      const [thread] = await tx.query<Thread>(
        `select c.id as "conversationId" from conversation c join channel f on f.tenant_id = c.tenant_id and f.id = c.channel_id
        where c.tenant_id = :tenant and c.id = :conversationId and ${FROM_HERE} and c.redacted_at is null
          and exists (select from contact_point p join contact k on k.tenant_id = p.tenant_id and k.id = p.contact_id and k.deleted_at is null
            where p.tenant_id = c.tenant_id and p.contact_id = c.contact_id and p.kind = 'email' and p.value = :address)`,
        { conversationId, channelId: channel.id, workspaceId: channel.workspaceId, address: from.address },
      );
      if (thread) return thread;
    }
    return undefined;
  }

  private async conversationOf(tx: Tx, messageId: string): Promise<string | undefined> {
    return (
      await tx.query<Thread>(
        `select conversation_id as "conversationId" from message where tenant_id = :tenant and id = :messageId and direction = 'outbound'`,
        { messageId },
      )
    )[0]?.conversationId;
  }

  /** @returns the sender's newest conversation, where they have written more than anybody writes */
  private async floods(tx: Tx, { id: channelId }: OpenChannel, address: string): Promise<string | undefined> {
    const [newest] = await tx.query<{ id: string }>(
      `select id from (
        select c.id, c.last_activity_at, sum(n.count) over () as total
        from (select distinct p.contact_id from contact_point p where p.tenant_id = :tenant and p.kind = 'email' and p.value = :address) k
        join conversation c on c.tenant_id = :tenant and c.contact_id = k.contact_id
        cross join lateral (select count(*) as count from message m where m.tenant_id = c.tenant_id and m.conversation_id = c.id and m.sequence > c.last_sequence - :latest::int
          and m.direction = 'inbound' and m.created_at > now() - interval '1 hour') n
        where c.channel_id = :channelId and c.last_activity_at > now() - interval '1 hour' and c.redacted_at is null) r
      where total >= :most order by last_activity_at desc limit 1`,
      { channelId, address, most: MOST_AN_HOUR, latest: LATEST },
    );
    return newest?.id;
  }

  private async blocked(tx: Tx, conversationId: string): Promise<boolean> {
    return (
      (
        await tx.query(
          "select from conversation c join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id where c.tenant_id = :tenant and c.id = :conversationId and k.blocked",
          { conversationId },
        )
      ).length > 0
    );
  }

  /** What a mail server tells of a message of ours: it is no message itself, and begins nothing. */
  private async report(tx: Tx, channel: OpenChannel, report: Report | undefined): Promise<boolean> {
    if (!report) return false;
    const [message] = await tx.query<Thread>(
      `select m.conversation_id as "conversationId" from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
      join channel f on f.tenant_id = c.tenant_id and f.id = c.channel_id
      where m.tenant_id = :tenant and m.id = :messageId and m.direction = 'outbound' and ${FROM_HERE} and c.redacted_at is null`,
      { messageId: report.messageId, channelId: channel.id, workspaceId: channel.workspaceId },
    );
    if (!message || !(await this.messages.delivery(tx, report.messageId, report.became)) || report.became !== "failed")
      return false;
    const body = `The mail${report.recipient ? ` to ${report.recipient}` : ""} could not be delivered${report.reason ? `: ${report.reason}` : ""}`;
    await this.messages.noteWithin(tx, message.conversationId, { body: body.replace(/[\0\s]+/g, " ").slice(0, 1_000) });
    return false;
  }
}

/** What is missing is said in the message itself; it never is without a word. */
function bodyOf({ body, original }: ParsedMessage, missing: readonly string[]): string {
  const end = missing.map((sentence) => `[${sentence.replace(/[\0\r\n]+/g, " ").slice(0, 300)}]`).join("\n");
  const most = MAX_BODY - end.length - 200;
  const text =
    [...body].length > most
      ? `${[...body].slice(0, most).join("")}\n\n[The text goes on${original ? " in original.eml" : ""}]`
      : body;
  return [text || (end ? "" : "[The mail has no text]"), end].filter(Boolean).join("\n\n");
}
