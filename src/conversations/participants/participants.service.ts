import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { IsNull } from "typeorm";
import { ContactsService } from "../../contacts/contacts.service.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, ERASED, notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { MAX_PEOPLE } from "./addresses.js";
import { ParticipantEntity } from "./participant.entity.js";
import type { AddParticipantDto, ParticipantDto, RemoveParticipantsDto } from "./participants.dto.js";
import {
  FIND_ADDRESSED,
  FIND_WRITER,
  GET_PARTICIPANT,
  HOLD_CONVERSATION,
  keepPeople,
  LIST_PARTICIPANTS,
} from "./participants.queries.js";
import { assertNotOurs, formsOf } from "./recipients.js";

/** A person as a mail names them. */
export interface MailPerson {
  address: string;
  name: string | null;
}

/** The people besides the contact who take part in a conversation by mail. */
@Injectable()
export class ParticipantsService {
  constructor(
    private readonly db: Database,
    private readonly contacts: ContactsService,
  ) {}

  list(caller: Caller, conversationId: string): Promise<Json<ParticipantDto[]>> {
    return this.db.read(caller, LIST_PARTICIPANTS, { conversationId });
  }

  /** Adds somebody: 201, or 200 if they take part already. */
  add(
    caller: Caller,
    conversationId: string,
    { address, name = null, role = "cc" }: AddParticipantDto,
  ): Promise<Json<ParticipantDto>> {
    return this.db.transaction(caller, async (tx) => {
      const listed = await this.hold(tx, conversationId);
      const [found] = await tx.query(FIND_ADDRESSED, { conversationId, asked: formsOf(address) });
      assertNotOurs([address], found!.ours);
      if (found!.participants.includes(address)) return tx.read(GET_PARTICIPANT, { conversationId, address });
      if (listed >= MAX_PEOPLE)
        throw new ConflictException(`At most ${MAX_PEOPLE} people take part in a conversation besides the contact`);
      await keepPeople(tx, conversationId, [{ address, name, role, state: "listed" }]);
      return (await tx.read(GET_PARTICIPANT, { conversationId, address })).created();
    });
  }

  /** Takes somebody out, or everybody: replies to all no longer reach them. Mails of others do not bring them back. */
  remove(caller: Caller, conversationId: string, { participantId }: RemoveParticipantsDto): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.hold(tx, conversationId);
      const which = { conversationId, state: "listed", ...(participantId && { id: participantId }) } as const;
      const removed = await tx.update(ParticipantEntity, which, { state: "removed" });
      if (participantId && !removed) throw notFound();
      return ok();
    });
  }

  /** Whether they get replies to all. Whoever was in bcc, was removed, or only answers what was forwarded does not. */
  async takesPart(tx: Tx, conversationId: string, address: string): Promise<boolean> {
    return (await tx.findOne(ParticipantEntity, { conversationId, address, state: "listed" })) !== null;
  }

  /**
   * The contact of a participant who writes. It is one that the workspace knows, or a new one: what a participant writes proves
   * nothing about who they are elsewhere. Two mails of one participant at the same time find the same one.
   */
  async writer(tx: Tx, conversationId: string, at: string, { address, name }: MailPerson): Promise<string> {
    await tx.query(HOLD_CONVERSATION, { conversationId });
    // Whoever only answers what was forwarded has no row yet.
    await keepPeople(tx, conversationId, [{ address, name, role: "cc", state: "named" }]);
    const [known] = await tx.query(FIND_WRITER, { conversationId, address });
    const id =
      known?.id ??
      (await this.contacts.withAddress(tx, { kind: "email", value: address, name }, { at, isProven: false })).id;
    await tx.update(ParticipantEntity, { conversationId, address }, { contactId: id });
    if (name !== null) await tx.update(ParticipantEntity, { conversationId, address, name: IsNull() }, { name });
    return id;
  }

  /** @returns how many are listed */
  private async hold(tx: Tx, conversationId: string): Promise<number> {
    const [held] = await tx.query(HOLD_CONVERSATION, { conversationId });
    if (!held) throw notFound();
    if (held.erased) throw new ConflictException(ERASED);
    if (held.archived) throw new ConflictException(ARCHIVED);
    if (!held.mailed) throw new BadRequestException("Only a conversation by mail has participants");
    tx.changesWorkspace(held.workspaceId);
    return held.listed;
  }
}
