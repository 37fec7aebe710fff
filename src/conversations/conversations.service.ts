import { BadRequestException, ConflictException, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Caller } from '../caller/caller.js';
import { ContactsService } from '../contacts/contacts.service.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import { notFound } from '../http/errors.js';
import type { Json, Page } from '../http/json.js';
import { WorkspaceEntity } from '../workspaces/workspace.entity.js';
import { ConversationEntity } from './conversation.entity.js';
import type { ConversationDto, ListConversationsDto, StartConversationDto } from './conversations.dto.js';
import { GET_CONVERSATION, listStatement } from './conversations.queries.js';
import { MessagesService } from './messages.service.js';

@Injectable()
export class ConversationsService {
  constructor(private readonly db: Database, private readonly contacts: ContactsService, private readonly messages: MessagesService) {}

  /** Newest activity first. */
  list(caller: Caller, { limit = 25, cursor, ...filters }: ListConversationsDto): Promise<Json<Page<ConversationDto>>> {
    return this.db.page(caller, listStatement(caller.reach.level, filters, cursor !== undefined), filters, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<ConversationDto>> {
    return this.db.read(caller, GET_CONVERSATION, { id });
  }

  /** A conversation from the contact's side; 201 for a new one, 200 for the one that has the externalId. */
  start(caller: Caller, body: StartConversationDto): Promise<Json<ConversationDto>> {
    if (Boolean(body.contactId) === Boolean(body.contact)) throw new BadRequestException('Exactly one of contactId and contact must be given');
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: body.workspaceId });
      tx.within(workspace.id);
      const known = await this.withExternalId(tx, body);
      if (known) return tx.read(GET_CONVERSATION, { id: known });
      if (workspace.status === 'archived') throw new ConflictException('The workspace is archived: it can be read, not written to');
      const id = uuid();
      await tx.insert(ConversationEntity, {
        id, workspaceId: workspace.id, brandId: workspace.brandId, channelId: await this.channel(tx, body), contactId: await this.contact(tx, body),
        externalId: body.externalId ?? null, subject: body.subject ?? null, callerId: body.callerId ?? null, metadata: body.metadata ?? {},
      });
      if (body.message) await this.messages.receiveWithin(tx, id, body.message);
      return (await tx.read(GET_CONVERSATION, { id })).created();
    });
  }

  private async withExternalId(tx: Tx, { workspaceId, externalId }: StartConversationDto): Promise<string | undefined> {
    if (!externalId) return undefined;
    const [known] = await tx.query<{ id: string }>('select id from conversation where tenant_id = :tenant and workspace_id = :workspaceId and external_id = :externalId',
      { workspaceId, externalId });
    return known?.id;
  }

  private async contact(tx: Tx, { contactId, contact }: StartConversationDto): Promise<string> {
    if (contact) return (await this.contacts.findOrAdd(tx, contact)).id;
    await this.contacts.assertVisible(tx, contactId!);
    return contactId!;
  }

  private async channel(tx: Tx, { workspaceId, channelId }: StartConversationDto): Promise<string> {
    const [channel] = await tx.query<{ id: string }>(`select id from channel where tenant_id = :tenant and workspace_id = :workspaceId
      and (id = :channelId::uuid or (:channelId::uuid is null and type = 'api')) order by created_at limit 1`, { workspaceId, channelId });
    if (!channel) throw notFound();
    return channel.id;
  }
}
