import { BadRequestException, ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { v7 as uuid } from "uuid";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import type { AttachmentDto } from "../../conversations/attachments/attachments.dto.js";
import { IncomingMessages } from "../incoming-messages.service.js";
import { Config } from "../../platform/config/config.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { PrivateTexts } from "../../conversations/private-texts.js";
import { Database } from "../../platform/database/database.js";
import { rateLease } from "../../platform/database/rate-lease.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED } from "../../platform/http/errors.js";
import { Json, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { clientOf, RateLimiter } from "../../platform/http/rate-limit.js";
import type { Request } from "../../platform/http/request.js";
import { limited, WebchatSessions, type Visit } from "./webchat-sessions.service.js";
import type { WebchatMessageDto, WebchatWriteDto } from "./webchat.dto.js";
import { HEADS, type Heads, LIST, NEWER, ONE, type Unlinked, WATCH } from "./webchat.queries.js";

/** What a person can write, and no program needs; a visitor's, and an address's, which an office may share. */
const MESSAGES_A_MINUTE = 20;
const MESSAGES_OF_ADDRESS_A_MINUTE = 60;
const UPLOADS_A_MINUTE = 10;
/** Uploads of a visitor's that are part of no message yet. */
const MOST_LOOSE_UPLOADS = 20;

/** What a visitor reads and writes: their own thread. */
@Injectable()
export class WebchatThread {
  private readonly writes: RateLimiter;
  /** None where requests are not counted at all. */
  private readonly writesOfAddress: RateLimiter | undefined;
  private readonly uploads: RateLimiter;

  constructor(
    private readonly db: Database,
    private readonly sessions: WebchatSessions,
    private readonly incoming: IncomingMessages,
    private readonly contacts: ContactsService,
    private readonly attachments: AttachmentsService,
    private readonly privateTexts: PrivateTexts,
    config: Config,
  ) {
    const lease = rateLease(db);
    this.writes = new RateLimiter(MESSAGES_A_MINUTE, lease);
    if (config.rateLimitPerMinute > 0) this.writesOfAddress = new RateLimiter(MESSAGES_OF_ADDRESS_A_MINUTE, lease);
    this.uploads = new RateLimiter(UPLOADS_A_MINUTE, lease);
  }

  onModuleDestroy(): void {
    for (const limiter of [this.writes, this.writesOfAddress, this.uploads]) limiter?.stop();
  }

  /** Newest first. */
  async list(
    publicKey: string,
    request: Request,
    { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<WebchatMessageDto>>> {
    const visit = await this.sessions.visit(publicKey, request);
    const { data, ...page } = (
      await this.db.page(visit.caller, LIST, { visitorId: visit.visitorId, prefix: prefixOf(visit) }, { limit, cursor })
    ).parse();
    return Json.of({ data: data.map((message) => this.linked(visit, message)), ...page });
  }

  /** A message, once however often it is sent; the first one makes the contact. What a blocked one writes is answered like any other, and not kept. */
  async write(
    publicKey: string,
    request: Request,
    { body, clientMessageId, attachmentIds }: WebchatWriteDto,
  ): Promise<Json<WebchatMessageDto>> {
    const visit = await this.sessions.visit(publicKey, request);
    if (visit.archived) throw new ConflictException(ARCHIVED);
    await limited(this.writes, `webchat messages ${visit.visitorId}`);
    await limited(this.writesOfAddress, `webchat messages ${clientOf(request.ip)}`);
    const { caller, channelId, workspaceId, visitorId } = visit;
    const prefix = prefixOf(visit);
    return this.db.transaction(caller, async (tx) => {
      tx.within(workspaceId);
      await this.sessions.keep(tx, visit);
      const contactId = await this.contactOf(tx, visit);
      const taken = await this.incoming.receive(
        tx,
        { id: channelId, workspaceId },
        {
          from: { contactId },
          externalId: prefix + clientMessageId,
          body,
          bodyFormat: "text",
          attachmentIds,
          conversationId: await this.newest(tx, visitorId),
        },
      );
      if (!taken)
        return Json.of<WebchatMessageDto>(
          {
            id: uuid(),
            direction: "inbound",
            author: null,
            body,
            bodyFormat: "text",
            attachments: [],
            clientMessageId,
            createdAt: new Date().toISOString(),
          },
          201,
        );
      await tx.query(
        "insert into webchat_thread (tenant_id, conversation_id, visitor_id) values (:tenant, :conversationId, :visitorId) on conflict do nothing",
        { conversationId: taken.conversationId, visitorId },
      );
      const message = (await tx.read(ONE, { id: taken.messageId, prefix })).parse();
      return Json.of(this.linked(visit, message), taken.created ? 201 : 200);
    });
  }

  async upload(publicKey: string, request: Request, reply: FastifyReply): Promise<Json<AttachmentDto>> {
    const visit = await this.sessions.visit(publicKey, request);
    if (visit.archived) throw new ConflictException(ARCHIVED);
    await limited(this.uploads, `webchat uploads ${visit.visitorId}`);
    await this.db.transaction(visit.caller, async (tx) => {
      tx.unseen();
      const [{ loose }] = (await tx.query<{ loose: number }>(
        `select count(*)::int as loose from attachment where tenant_id = :tenant and message_id is null and created_at > now() - interval '1 day' and uploaded_by = :visitorId`,
        visit,
      )) as [{ loose: number }];
      if (loose >= MOST_LOOSE_UPLOADS)
        throw new BadRequestException(`At most ${MOST_LOOSE_UPLOADS} files may wait for their message`);
    });
    return this.attachments.upload(visit.caller, request, reply);
  }

  async heads({ caller, visitorId }: Visit): Promise<Heads> {
    return (await this.db.read(caller, HEADS, { visitorId })).parse().heads;
  }

  /** How far the threads of these sessions of one tenant have come; those that are over are left out. */
  async watch({ caller }: Visit, sessionIds: readonly string[]): Promise<Record<string, Heads>> {
    return (await this.db.read(caller, WATCH, { sessionIds })).parse().sessions;
  }

  /** What came between, in order, each with its place. */
  async newer(
    visit: Visit,
    from: Heads,
    to: Heads,
  ): Promise<{ message: WebchatMessageDto; conversationId: string; sequence: number }[]> {
    const conversationIds = Object.keys(to).filter((id) => to[id]! > (from[id] ?? 0));
    if (!conversationIds.length) return [];
    const { messages } = (
      await this.db.read(visit.caller, NEWER, {
        visitorId: visit.visitorId,
        prefix: prefixOf(visit),
        conversationIds,
        after: conversationIds.map((id) => from[id] ?? 0),
        upTo: conversationIds.map((id) => to[id]!),
      })
    ).parse();
    return messages.map(({ conversationId, sequence, ...message }) => ({
      conversationId,
      sequence,
      message: this.linked(visit, message),
    }));
  }

  /** Whoever the session is of; the first message makes a contact, without a name. Of two first ones at once, one waits. */
  private async contactOf(tx: Tx, { sessionId }: Visit): Promise<string> {
    const [session] = await tx.query<{ contactId: string | null }>(
      'select contact_id as "contactId" from webchat_session where tenant_id = :tenant and id = :sessionId for no key update',
      { sessionId },
    );
    // Erased while this was on its way.
    if (!session) throw new UnauthorizedException();
    if (session.contactId) return session.contactId;
    const { id } = await this.contacts.findOrAdd(tx, {});
    await tx.query("update webchat_session set contact_id = :id where tenant_id = :tenant and id = :sessionId", {
      id,
      sessionId,
    });
    return id;
  }

  /** The thread goes on where it was last written in; null where there is none yet. */
  private async newest(tx: Tx, visitorId: string): Promise<string | null> {
    const [found] = await tx.query<{ id: string }>(
      `select c.id from webchat_thread t join conversation c on c.tenant_id = t.tenant_id and c.id = t.conversation_id
      where t.tenant_id = :tenant and t.visitor_id = :visitorId and c.redacted_at is null order by c.last_activity_at desc, c.id desc limit 1`,
      { visitorId },
    );
    return found?.id ?? null;
  }

  private linked({ caller }: Visit, { announced, ...message }: Unlinked): WebchatMessageDto {
    const attachments = message.attachments.map((attachment) => ({
      ...attachment,
      url: this.attachments.urlOf({ tenantId: caller.tenantId, id: attachment.id }),
    }));
    return { ...message, attachments, body: this.privateTexts.reveal(caller.tenantId, { ...message, announced }) };
  }
}

/** Begins what a session's messages are called among those of the channel. */
const prefixOf = ({ sessionId }: Visit): string => `${sessionId} `;
