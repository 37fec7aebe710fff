import { BadRequestException, ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { v7 as uuid } from "uuid";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import type { AttachmentDto } from "../../conversations/attachments/attachments.dto.js";
import { IncomingMessagesService } from "../incoming-messages.service.js";
import { VisitorWrote } from "../visitor-wrote.js";
import { Config } from "../../platform/config/config.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { PrivateTexts } from "../../conversations/private-texts.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { rateLease } from "../../platform/database/rate-lease.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ARCHIVED } from "../../platform/http/errors.js";
import { Json, type Ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { clientOf, RateLimiter } from "../../platform/http/rate-limit.js";
import type { Request } from "../../platform/http/request.js";
import { assertWithinLimit, type Visit, WebchatSessionsService } from "./webchat-sessions.service.js";
import type { WebchatMessageDto, SendWebchatMessageDto } from "./webchat.dto.js";
import {
  COUNT_PENDING_UPLOADS,
  FIND_NEWEST_OF_THREAD,
  FIND_TYPING_CONVERSATION,
  GET_HEADS,
  GET_HEADS_OF_SESSIONS,
  GET_MESSAGE,
  type Heads,
  LIST_MESSAGES,
  LIST_NEW_MESSAGES,
  type UnlinkedMessage,
} from "./webchat.queries.js";
import { WebchatSessionEntity, WebchatThreadEntity } from "./webchat-session.entity.js";

/** More than a person writes: of one visitor, and of one address, which an office may share. */
const MESSAGES_A_MINUTE = 20;
const MESSAGES_OF_ADDRESS_A_MINUTE = 60;
/** Someone who types without a break sends one every few seconds. */
const SIGNS_A_MINUTE = 30;
const SIGNS_OF_ADDRESS_A_MINUTE = 120;
const UPLOADS_A_MINUTE = 10;
/** Files of one address on one channel. A visitor can be a new one at any time, an address less so. */
const UPLOADS_OF_ADDRESS_AN_HOUR = 60;
const HOUR_SECONDS = 3_600;
/** Of new messages of a thread, so many are read at once: with `Last-Event-ID` a visitor says where to begin. */
export const MAX_NEWER = 100;
/** Uploads of a visitor that belong to no message yet. */
const MAX_PENDING_UPLOADS = 20;

/** The thread of a visitor: what they read and write. */
@Injectable()
export class WebchatThreadService {
  private readonly writes: RateLimiter;
  /** Undefined if the server limits no requests. */
  private readonly writesOfAddress: RateLimiter | undefined;
  private readonly signs: RateLimiter;
  private readonly signsOfAddress: RateLimiter | undefined;
  private readonly uploads: RateLimiter;
  private readonly uploadsOfAddress: RateLimiter;

  constructor(
    private readonly db: Database,
    private readonly sessions: WebchatSessionsService,
    private readonly incoming: IncomingMessagesService,
    private readonly contacts: ContactsService,
    private readonly attachments: AttachmentsService,
    private readonly privateTexts: PrivateTexts,
    private readonly changes: Changes,
    private readonly events: DomainEvents,
    config: Config,
  ) {
    const lease = rateLease(db);
    this.writes = new RateLimiter(MESSAGES_A_MINUTE, lease);
    this.signs = new RateLimiter(SIGNS_A_MINUTE, lease);
    if (config.rateLimitPerMinute > 0) {
      this.writesOfAddress = new RateLimiter(MESSAGES_OF_ADDRESS_A_MINUTE, lease);
      this.signsOfAddress = new RateLimiter(SIGNS_OF_ADDRESS_A_MINUTE, lease);
    }
    this.uploads = new RateLimiter(UPLOADS_A_MINUTE, lease);
    this.uploadsOfAddress = new RateLimiter(UPLOADS_OF_ADDRESS_AN_HOUR, rateLease(db, HOUR_SECONDS), HOUR_SECONDS);
  }

  onModuleDestroy(): void {
    for (const limiter of [
      this.writes,
      this.writesOfAddress,
      this.signs,
      this.signsOfAddress,
      this.uploads,
      this.uploadsOfAddress,
    ])
      limiter?.stop();
  }

  /** Newest first. */
  async list(
    publicKey: string,
    request: Request,
    { limit = 25, cursor }: PagingDto,
  ): Promise<Json<Page<WebchatMessageDto>>> {
    const visit = await this.sessions.visit(publicKey, request);
    const { data, ...page } = (
      await this.db.page(
        visit.caller,
        LIST_MESSAGES,
        { visitorId: visit.visitorId, prefix: prefixOf(visit) },
        { limit, cursor },
      )
    ).parse();
    return Json.of({ data: data.map((message) => this.linked(visit, message)), ...page });
  }

  /**
   * Stores a message, once however often it is sent. The first one creates the contact. A message of a blocked contact is
   * answered like any other, and not stored.
   */
  async write(
    publicKey: string,
    request: Request,
    { body, clientMessageId, attachmentIds }: SendWebchatMessageDto,
  ): Promise<Json<WebchatMessageDto>> {
    const visit = await this.sessions.visit(publicKey, request);
    if (visit.archived) throw new ConflictException(ARCHIVED);
    await assertWithinLimit(this.writes, `webchat messages ${visit.visitorId}`);
    await assertWithinLimit(this.writesOfAddress, `webchat messages ${clientOf(request.ip)}`);
    const { caller, channelId, workspaceId, visitorId } = visit;
    const prefix = prefixOf(visit);
    return this.db.transaction(caller, async (tx) => {
      tx.changesWorkspace(workspaceId);
      await this.sessions.keep(tx, visit);
      const contactId = await this.contactOf(tx, visit);
      const received = await this.incoming.receive(
        tx,
        { id: channelId, workspaceId },
        {
          from: { contactId },
          senderProof: visit.signed ? "signed" : "none",
          externalId: prefix + clientMessageId,
          body,
          bodyFormat: "text",
          attachmentIds,
          conversationId: await this.newestConversation(tx, visitorId),
        },
      );
      if (!received)
        return Json.of<WebchatMessageDto>(
          {
            id: uuid(),
            direction: "inbound",
            author: null,
            automated: false,
            body,
            bodyFormat: "text",
            choices: [],
            attachments: [],
            clientMessageId,
            createdAt: new Date().toISOString(),
          },
          201,
        );
      if (received.created && !visit.signed)
        await this.events.publish(tx, new VisitorWrote(received.conversationId, clientOf(request.ip)));
      await tx.insertOrIgnore(WebchatThreadEntity, { conversationId: received.conversationId, visitorId });
      const message = (await tx.read(GET_MESSAGE, { id: received.messageId, prefix })).parse();
      return Json.of(this.linked(visit, message), received.created ? 201 : 200);
    });
  }

  async upload(publicKey: string, request: Request, reply: FastifyReply): Promise<Json<AttachmentDto>> {
    const visit = await this.sessions.visit(publicKey, request);
    if (visit.archived) throw new ConflictException(ARCHIVED);
    await assertWithinLimit(this.uploads, `webchat uploads ${visit.visitorId}`);
    await assertWithinLimit(this.uploadsOfAddress, `webchat uploads ${visit.channelId} ${clientOf(request.ip)}`);
    await this.db.transaction(visit.caller, async (tx) => {
      tx.changesNothingVisible();
      const [pending] = await tx.query(COUNT_PENDING_UPLOADS, { visitorId: visit.visitorId });
      if (pending!.count >= MAX_PENDING_UPLOADS)
        throw new BadRequestException(`At most ${MAX_PENDING_UPLOADS} files may wait for their message`);
    });
    return this.attachments.upload(visit.caller, request, reply);
  }

  /** Tells the desk that the visitor is typing, or has stopped. Nothing is stored. */
  async typing(publicKey: string, request: Request, typing: boolean): Promise<Json<Ok>> {
    const visit = await this.sessions.visit(publicKey, request);
    if (visit.archived) throw new ConflictException(ARCHIVED);
    await assertWithinLimit(this.signs, `webchat typing ${visit.visitorId}`);
    await assertWithinLimit(this.signsOfAddress, `webchat typing ${clientOf(request.ip)}`);
    const { caller, workspaceId, visitorId } = visit;
    const { conversationId, until } = (await this.db.read(caller, FIND_TYPING_CONVERSATION, { visitorId })).parse();
    if (conversationId !== null)
      this.changes.signal({
        tenantId: caller.tenantId,
        workspaceId,
        type: "typing",
        data: { conversationId, workspaceId, by: "contact", until: typing ? until : null },
      });
    return Json.of<Ok>({ ok: true });
  }

  async heads({ caller, visitorId }: Visit): Promise<Heads> {
    return (await this.db.read(caller, GET_HEADS, { visitorId })).parse().heads;
  }

  /** The heads of the threads of these sessions, all of one tenant. Sessions that are over are left out. */
  async watch({ caller }: Visit, sessionIds: readonly string[]): Promise<Record<string, Heads>> {
    return (await this.db.read(caller, GET_HEADS_OF_SESSIONS, { sessionIds })).parse().sessions;
  }

  /** The first `MAX_NEWER` messages between two sets of heads, oldest first. */
  async newer(
    visit: Visit,
    from: Heads,
    to: Heads,
  ): Promise<{ message: WebchatMessageDto; conversationId: string; sequence: number }[]> {
    const conversationIds = Object.keys(to).filter((id) => to[id]! > (from[id] ?? 0));
    if (!conversationIds.length) return [];
    const { messages } = (
      await this.db.read(visit.caller, LIST_NEW_MESSAGES, {
        visitorId: visit.visitorId,
        prefix: prefixOf(visit),
        conversationIds,
        after: conversationIds.map((id) => from[id] ?? 0),
        upTo: conversationIds.map((id) => to[id]!),
        most: MAX_NEWER,
      })
    ).parse();
    return messages.map(({ conversationId, sequence, ...message }) => ({
      conversationId,
      sequence,
      message: this.linked(visit, message),
    }));
  }

  /** The contact of the session; the first message creates one, without a name. Of two first messages at once, one waits. */
  private async contactOf(tx: Tx, { sessionId }: Visit): Promise<string> {
    const session = await tx.findOne(WebchatSessionEntity, { id: sessionId }, { lock: "no key update" });
    // The contact was erased in the meantime.
    if (!session) throw new UnauthorizedException();
    if (session.contactId) return session.contactId;
    const { id } = await this.contacts.findOrAdd(tx, {});
    await tx.update(WebchatSessionEntity, { id: sessionId }, { contactId: id });
    return id;
  }

  /** The conversation in which the thread goes on; null if there is none yet. */
  private async newestConversation(tx: Tx, visitorId: string): Promise<string | null> {
    const [found] = await tx.query(FIND_NEWEST_OF_THREAD, { visitorId });
    return found?.id ?? null;
  }

  private linked({ caller }: Visit, { announced, ...message }: UnlinkedMessage): WebchatMessageDto {
    const attachments = message.attachments.map((attachment) => ({
      ...attachment,
      url: this.attachments.urlOf({ tenantId: caller.tenantId, id: attachment.id }),
    }));
    return { ...message, attachments, body: this.privateTexts.reveal(caller.tenantId, { ...message, announced }) };
  }
}

/** Begins the external ids of a session's messages. */
const prefixOf = ({ sessionId }: Visit): string => `${sessionId} `;
