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
import { settle } from "./actions/change.js";
import type {
  ComposeDto,
  ConversationDto,
  ListConversationsDto,
  StartConversationDto,
  UpdateConversationDto,
} from "./conversations.dto.js";
import { changedIn, GET_CONVERSATION, listStatement, updateStatement } from "./conversations.queries.js";
import type { SentMessageDto } from "./messages.dto.js";
import type { Appended } from "./messages.queries.js";
import { MessagesService } from "./messages.service.js";

@Injectable()
export class ConversationsService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
    private readonly contacts: ContactsService,
    private readonly messages: MessagesService,
  ) {}

  /** Newest activity first. */
  list(caller: Caller, { limit = 25, cursor, ...filters }: ListConversationsDto): Promise<Json<Page<ConversationDto>>> {
    return this.db.page(caller, listStatement(caller.reach.level, filters, cursor !== undefined), filters, {
      limit,
      cursor,
    });
  }

  get(caller: Caller, id: string): Promise<Json<ConversationDto>> {
    return this.db.read(caller, GET_CONVERSATION, { id });
  }

  /** A conversation from the contact's side; 201 for a new one, 200 for the one that has the externalId. */
  start(caller: Caller, body: StartConversationDto): Promise<Json<ConversationDto>> {
    if (Boolean(body.contactId) === Boolean(body.contact))
      throw new BadRequestException("Exactly one of contactId and contact must be given");
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: body.workspaceId });
      tx.within(workspace.id);
      const known = await this.withExternalId(tx, body);
      if (known) return tx.read(GET_CONVERSATION, { id: known });
      const id = await this.add(tx, workspace, body);
      if (body.message) await this.messages.receiveWithin(tx, id, body.message);
      return (await tx.read(GET_CONVERSATION, { id })).created();
    });
  }

  /** The same for what comes in through a channel, whose contact is known, and held, in whichever workspaces it was seen before. @throws ConflictException (archived) */
  async startWithin(
    tx: Tx,
    { message, contactId, ...place }: StartConversationDto & { contactId: string; message: SentMessageDto },
  ): Promise<Appended> {
    const workspace = await tx.findOrThrow(WorkspaceEntity, { id: place.workspaceId });
    return this.messages.receiveWithin(tx, await this.add(tx, workspace, place, contactId), message);
  }

  /** A conversation from our side, with its first message. */
  compose(caller: Caller, { body, bodyFormat, attachmentIds, ...place }: ComposeDto): Promise<Json<ConversationDto>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: place.workspaceId });
      tx.within(workspace.id);
      const id = await this.add(tx, workspace, place);
      await this.messages.replyWithin(tx, id, { body, bodyFormat, attachmentIds });
      return (await tx.read(GET_CONVERSATION, { id })).created();
    });
  }

  /** What is given replaces what was; where that is the same, nothing changes. */
  update(caller: Caller, id: string, body: UpdateConversationDto): Promise<Json<ConversationDto>> {
    const names = changedIn(body);
    if (!names.length) return this.get(caller, id);
    return this.db.transaction(caller, async (tx) => {
      await settle(tx, updateStatement(names), { ...body, id, metadata: JSON.stringify(body.metadata) });
      return tx.read(GET_CONVERSATION, { id });
    });
  }

  /** @throws ConflictException (archived), NotFoundException (the channel, or the contact) */
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
    // Held against an erasure, which would not see the answer that is stored for the request's retries.
    const [known] = await tx.query<{ id: string }>(
      "select id from conversation where tenant_id = :tenant and workspace_id = :workspaceId and external_id = :externalId for share",
      { workspaceId, externalId },
    );
    return known?.id;
  }

  private async contact(
    tx: Tx,
    { contactId, contact }: Pick<StartConversationDto, "contactId" | "contact">,
  ): Promise<string> {
    if (contact) return (await this.contacts.findOrAdd(tx, contact)).id;
    await this.contacts.assertVisible(tx, contactId!);
    return contactId!;
  }

  private async channel(
    tx: Tx,
    { workspaceId, channelId }: Pick<StartConversationDto, "workspaceId" | "channelId">,
  ): Promise<{ id: string; delivers: boolean }> {
    const [channel] = await tx.query<{ id: string; delivers: boolean }>(
      `select id, delivers from channel where tenant_id = :tenant and workspace_id = :workspaceId
      and (id = :channelId::uuid or (:channelId::uuid is null and type = 'api')) order by created_at limit 1`,
      { workspaceId, channelId },
    );
    if (!channel) throw notFound();
    return channel;
  }

  /** Waits for whoever writes into conversations of these contacts; nobody can until the transaction ends. */
  async hold(tx: Tx, contactIds: readonly string[]): Promise<void> {
    await tx.query(
      "select 1 from conversation where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) and redacted_at is null order by id for no key update",
      { contactIds },
    );
  }

  async idsOf(tx: Tx, contactIds: readonly string[]): Promise<string[]> {
    return (
      await tx.query<{ id: string }>(
        "select id from conversation where tenant_id = :tenant and contact_id = any(:contactIds::uuid[])",
        { contactIds },
      )
    ).map(({ id }) => id);
  }

  /** Those of a contact that was merged are the survivor's from now on. @returns how many */
  async moveContact(tx: Tx, from: string, to: string): Promise<number> {
    return (
      await tx.query(
        "update conversation set contact_id = :to, last_activity_at = now(), updated_at = now() where tenant_id = :tenant and contact_id = :from returning 1",
        { from, to },
      )
    ).length;
  }

  /** Conversations stay as anonymous statistics, closed, since nobody is there to answer; their messages lose every word. */
  async eraseContact(tx: Tx, contactIds: readonly string[]): Promise<{ conversations: number; messages: number }> {
    const [erased] = await tx.query<{ conversations: number; messages: number }>(
      `with redacted as (
        update conversation set external_id = null, subject = null, caller_id = null, summary = null, last_message_preview = null, labels = '{}', metadata = '{}',
          resolution = case when status = 'resolved' then resolution else 'abandoned' end, status = 'resolved', resolved_at = coalesce(resolved_at, now()),
          snoozed_until = null, waiting_since = null, unread_count = 0, redacted_at = now(), last_activity_at = now(), updated_at = now()
        where tenant_id = :tenant and contact_id = any(:contactIds::uuid[]) and redacted_at is null returning 1
      ), silenced as (
        update message m set body = '', external_id = null, client_message_id = null, redacted_at = coalesce(m.redacted_at, now())
        from conversation c where c.tenant_id = :tenant and c.contact_id = any(:contactIds::uuid[]) and m.tenant_id = c.tenant_id and m.conversation_id = c.id
          and (m.redacted_at is null or m.body <> '' or m.external_id is not null or m.client_message_id is not null) returning 1
      ) select (select count(*)::int from redacted) as conversations, (select count(*)::int from silenced) as messages`,
      { contactIds },
    );
    return erased!;
  }
}
