import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, query } from "../../platform/database/statements.js";
import { ERASED, notFound } from "../../platform/http/errors.js";
import { Json } from "../../platform/http/json.js";
import { plainText } from "../../platform/markdown/plain-text.js";
import type { BodyFormat } from "../conversation.entity.js";
import { MAX_BODY } from "../message-limits.js";
import type { ReplySentDto } from "../messages.dto.js";
import { MessagesService } from "../messages.service.js";
import { keepNamed, recipientsOf } from "../participants/recipients.js";
import type { ForwardMessageDto } from "./forwards.dto.js";

interface Forwarded {
  conversationId: string;
  direction: string;
  body: string;
  format: BodyFormat;
  at: string;
  subject: string;
  /** Who wrote it, as a mail names them. */
  from: string;
  redacted: boolean;
  mailed: boolean;
}
const FIND_FORWARDED = query<{ id: string }, Forwarded>()(
  "messages.findForwarded",
  "restricted",
  ({ id }) => sql`
    select m.conversation_id as "conversationId", m.direction, m.body, m.body_format as format, m.redacted_at is not null as redacted,
      to_char(m.occurred_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC' as at,
      coalesce(m.recipients ->> 'subject', c.subject, b.name) as subject,
      case when m.direction = 'outbound' then b.name else coalesce(
          k.name || coalesce(' <' || (m.authentication ->> 'from') || '>', ''), m.authentication ->> 'from', '')
      end as from,
      c.channel_type in ('email', 'contact_form') as mailed
    from message m
      join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
      join brand b on b.tenant_id = ${TENANT} and b.id = c.brand_id
      left join contact k on k.tenant_id = ${TENANT} and k.id = m.author_id and k.erased_at is null
    where m.tenant_id = ${TENANT} and m.id = ${id} and ${inReach("c")}`,
);

/** Sends a message on to a third person. */
@Injectable()
export class ForwardsService {
  constructor(
    private readonly db: Database,
    private readonly messages: MessagesService,
  ) {}

  /** @throws BadRequestException (a note, or not by mail), NotFoundException, ConflictException (its text was removed) */
  forward(
    caller: Caller,
    id: string,
    { to: given, cc: copies, body, attachments, answers = "note" }: ForwardMessageDto,
  ): Promise<Json<ReplySentDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [message] = await tx.query(FIND_FORWARDED, { id });
      if (!message) throw notFound();
      if (message.direction === "internal")
        throw new BadRequestException("A note stays inside: it cannot be forwarded");
      if (message.redacted) throw new ConflictException(ERASED);
      const { conversationId } = message;
      const found = await recipientsOf(tx, conversationId, { to: given, cc: copies ?? [] }, { toAll: false });
      const recipients = { to: found!.to, cc: found!.cc, forward: { messageId: id, attachments, answers } };
      const { messageId } = await this.messages.mailedNoteWithin(
        tx,
        conversationId,
        { body: body ?? `Forwarded to ${[...recipients.to, ...recipients.cc].join(", ")}`, recipients },
        { subject: `Fwd: ${message.subject}`.slice(0, 500), body: textOf(message, body) },
      );
      await keepNamed(tx, conversationId, recipients);
      return Json.of<ReplySentDto>({ ok: true, messageId });
    });
  }
}

function textOf({ from, at, subject, body, format }: Forwarded, comment = ""): string {
  const head = ["---------- Forwarded message ----------", ...(from ? [`From: ${from}`] : []), `Date: ${at}`];
  return [
    ...(comment ? [comment, ""] : []),
    ...head,
    `Subject: ${subject}`,
    "",
    format === "markdown" ? plainText(body) : body,
  ]
    .join("\n")
    .slice(0, 2 * MAX_BODY);
}
