import { ConflictException, Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ERASED, notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import type { DraftDto, SaveDraftDto } from "./drafts.dto.js";
import {
  CHECK_DRAFT,
  FORGET_DRAFTS_OF_CONVERSATIONS,
  FORGET_DRAFTS_OF_MEMBER,
  GET_DRAFT,
  REPLACE_DRAFT,
  SAVE_DRAFT,
} from "./drafts.queries.js";
import { DraftEntity } from "./draft.entity.js";

/** What members have written and not sent yet: one draft for each member and conversation, which only its author sees. */
@Injectable()
export class DraftsService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased, removedIds }) => {
      const files = await tx.query(FORGET_DRAFTS_OF_CONVERSATIONS, { conversationIds });
      erased.attachments += files.length;
      removedIds.push(...files.map(({ id }) => id));
    });
  }

  get(caller: MemberCaller, conversationId: string): Promise<Json<DraftDto>> {
    return this.db.read(caller, GET_DRAFT, { conversationId, memberId: caller.memberId });
  }

  /** @throws NotFoundException, ConflictException: the contact was erased, or the draft is another one by now */
  save(
    caller: MemberCaller,
    conversationId: string,
    { body, isNote = false, attachmentIds = [], basedOnSequence = null, ifUpdatedAt }: SaveDraftDto,
  ): Promise<Json<DraftDto>> {
    const key = { conversationId, memberId: caller.memberId };
    const draft = { ...key, body, isNote, attachmentIds, basedOnSequence };
    return this.db.transaction(caller, async (tx) => {
      // Nobody else sees it, and it is saved while somebody types.
      tx.changesNothingVisible();
      const [found] = await tx.query(CHECK_DRAFT, { ...key, attachmentIds });
      if (!found) throw notFound();
      if (found.files < attachmentIds.length) throw notFound("attachment in attachmentIds");
      const written = await (typeof ifUpdatedAt === "string"
        ? tx.query(REPLACE_DRAFT, { ...draft, ifUpdatedAt })
        : tx.query(SAVE_DRAFT, { ...draft, onlyFirst: ifUpdatedAt === null }));
      if (!written.length)
        throw new ConflictException(
          found.erased ? ERASED : "The draft was changed or removed elsewhere. Read it before you save yours",
        );
      return tx.read(GET_DRAFT, key);
    });
  }

  /** Removing a draft that is not there is fine, too. @throws NotFoundException: there is no such conversation */
  remove(caller: MemberCaller, conversationId: string): Promise<Json<Ok>> {
    const key = { conversationId, memberId: caller.memberId };
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      if (!(await tx.query(CHECK_DRAFT, { ...key, attachmentIds: [] })).length) throw notFound();
      await tx.delete(DraftEntity, key);
      return ok();
    });
  }

  async forgetMember(tx: Tx, memberId: string): Promise<void> {
    await tx.query(FORGET_DRAFTS_OF_MEMBER, { memberId });
  }
}
