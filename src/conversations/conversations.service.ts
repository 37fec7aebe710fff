import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../platform/caller/caller.js";
import { ContactsService } from "../contacts/contacts.service.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { ARCHIVED, notFound } from "../platform/http/errors.js";
import type { Json, Page } from "../platform/http/json.js";
import { WorkspaceEntity } from "../workspaces/workspace.entity.js";
import { ConversationEntity } from "./conversation.entity.js";
import { ConversationStarted } from "./conversation-events.js";
import { applyChange } from "./conversation-change.js";
import { type ConversationFilters, levelOf, listStatement } from "./conversation-list.queries.js";
import type {
  ComposeConversationDto,
  ConversationDto,
  ListConversationsDto,
  StartConversationDto,
  UpdateConversationDto,
} from "./conversations.dto.js";
import {
  changeIn,
  FIND_CHANNEL,
  GET_CONVERSATION,
  LOCK_BY_EXTERNAL_ID,
  updateStatement,
} from "./conversations.queries.js";
import type { Appended } from "./messages.queries.js";
import { MessagesService, type ReceivedMessage } from "./messages.service.js";

@Injectable()
export class ConversationsService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
    private readonly contacts: ContactsService,
    private readonly messages: MessagesService,
  ) {}

  /** Newest activity first, or those who have waited longest. */
  list(
    caller: Caller,
    { limit = 25, cursor, sort, ...given }: ListConversationsDto,
  ): Promise<Json<Page<ConversationDto>>> {
    const filters: ConversationFilters = { ...given, ...(sort === "waiting" && { sort }) };
    return this.db.page(caller, listStatement(levelOf(caller), filters, cursor !== undefined), filters, {
      limit,
      cursor,
    });
  }

  get(caller: Caller, id: string): Promise<Json<ConversationDto>> {
    return this.db.read(caller, GET_CONVERSATION, { id });
  }

  /** Starts a conversation from the contact's side: 201 for a new one, 200 if one with this externalId exists. */
  start(caller: Caller, body: StartConversationDto): Promise<Json<ConversationDto>> {
    if (Boolean(body.contactId) === Boolean(body.contact))
      throw new BadRequestException("Exactly one of contactId and contact must be given");
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: body.workspaceId }, { field: "workspaceId" });
      tx.changesWorkspace(workspace.id);
      const known = await this.withExternalId(tx, body);
      if (known) return tx.read(GET_CONVERSATION, { id: known });
      const id = await this.add(tx, workspace, body);
      if (body.message) await this.messages.receiveWithin(tx, id, { ...body.message, senderProof: "channel" });
      return (await tx.read(GET_CONVERSATION, { id })).created();
    });
  }

  /**
   * Starts a conversation for a message that comes in through a channel. The contact is already known and locked. It
   * may not have appeared in this workspace before.
   * @throws ConflictException: the workspace is archived
   */
  async startWithin(
    tx: Tx,
    { message, contactId, ...conversation }: StartConversationDto & { contactId: string; message: ReceivedMessage },
  ): Promise<Appended> {
    const workspace = await tx.findOrThrow(WorkspaceEntity, { id: conversation.workspaceId });
    return this.messages.receiveWithin(tx, await this.add(tx, workspace, conversation, contactId), message);
  }

  /** Starts a conversation from your side, with its first message. */
  compose(
    caller: Caller,
    { body, bodyFormat, attachmentIds, to, cc, bcc, ...conversation }: ComposeConversationDto,
  ): Promise<Json<ConversationDto>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(
        WorkspaceEntity,
        { id: conversation.workspaceId },
        { field: "workspaceId" },
      );
      tx.changesWorkspace(workspace.id);
      const id = await this.add(tx, workspace, conversation);
      await this.messages.replyWithin(tx, id, { body, bodyFormat, attachmentIds, to, cc, bcc });
      return (await tx.read(GET_CONVERSATION, { id })).created();
    });
  }

  /** Replaces the given fields. If the values are the same as before, nothing changes. */
  update(caller: Caller, id: string, body: UpdateConversationDto): Promise<Json<ConversationDto>> {
    const { names, values } = changeIn(body);
    if (!names.length) return this.get(caller, id);
    return this.db.transaction(caller, async (tx) => {
      await applyChange(tx, updateStatement(names), { ...values, id });
      return tx.read(GET_CONVERSATION, { id });
    });
  }

  /** @throws ConflictException (the workspace is archived), NotFoundException (channel or contact) */
  private async add(
    tx: Tx,
    workspace: WorkspaceEntity,
    body: Omit<StartConversationDto, "message">,
    known?: string,
  ): Promise<string> {
    if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
    const [id, callerId] = [uuid(), body.callerId ?? null];
    const { id: channelId, delivers } = await this.channel(tx, body);
    await tx.insert(ConversationEntity, {
      id,
      workspaceId: workspace.id,
      brandId: workspace.brandId,
      channelId,
      delivers,
      contactId: known ?? (await this.contact(tx, body)),
      externalId: body.externalId ?? null,
      subject: body.subject ?? null,
      callerId,
      metadata: body.metadata ?? {},
    });
    await this.events.publish(tx, new ConversationStarted(id, workspace.id, callerId));
    return id;
  }

  private async withExternalId(tx: Tx, { workspaceId, externalId }: StartConversationDto): Promise<string | undefined> {
    if (!externalId) return undefined;
    const [known] = await tx.query(LOCK_BY_EXTERNAL_ID, { workspaceId, externalId });
    return known?.id;
  }

  private async contact(
    tx: Tx,
    { contactId, contact }: Pick<StartConversationDto, "contactId" | "contact">,
  ): Promise<string> {
    if (contact) return (await this.contacts.findOrAdd(tx, contact)).id;
    await this.contacts.assertVisible(tx, contactId!, "contactId");
    return contactId!;
  }

  private async channel(
    tx: Tx,
    { workspaceId, channelId }: Pick<StartConversationDto, "workspaceId" | "channelId">,
  ): Promise<{ id: string; delivers: boolean }> {
    const [channel] = await tx.query(FIND_CHANNEL, { workspaceId, channelId });
    if (!channel) throw notFound("channelId");
    return channel;
  }
}
