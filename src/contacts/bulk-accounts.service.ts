import { BadRequestException, ConflictException, ForbiddenException, Injectable } from "@nestjs/common";
import { In } from "typeorm";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { coded } from "../platform/http/error-codes.js";
import { notFound } from "../platform/http/errors.js";
import { Json } from "../platform/http/json.js";
import { AccountEntity } from "./account.entity.js";
import type { AccountsChangedDto, ChangeAccountsDto } from "./bulk-accounts.dto.js";
import { ContactsLocking } from "./contact-events.js";
import { ContactEntity } from "./contact.entity.js";
import { LOCK_ACCOUNTS, LOCK_CONTACTS, SET_ACCOUNTS, UNLINK_CONTACTS } from "./bulk-accounts.queries.js";

/** How many contacts one request unlinks: each of them, and each of its conversations, is a row that changes. */
const MAX_UNLINKED = 2_000;

@Injectable()
export class BulkAccountsService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {}

  /**
   * @throws BadRequestException, NotFoundException: none of the accounts, ForbiddenException: a restricted caller deletes,
   *   ConflictException: too many contacts belong to what is deleted
   */
  change(caller: Caller, { ids, type, industry, plan }: ChangeAccountsDto): Promise<Json<AccountsChangedDto>> {
    const setsIndustry = industry !== undefined;
    const setsPlan = plan !== undefined;
    const sets = setsIndustry || setsPlan;
    if (type === "delete" && sets) throw new BadRequestException("delete takes neither industry nor plan");
    if (type === "set" && !sets) throw new BadRequestException("set needs industry or plan");
    if (type === "delete" && caller.reach.level !== "tenant")
      throw coded(new ForbiddenException(), "reach-missing", "takes a caller that reaches the whole organisation");
    return this.db.transaction(caller, async (tx) => {
      const found = (await tx.query(LOCK_ACCOUNTS, { ids, self: callerId(caller) })).map(({ id }) => id);
      if (!found.length) throw notFound();
      if (type === "delete") await this.delete(tx, found);
      else {
        const values = { industry: industry ?? null, plan: plan ?? null };
        await tx.query(SET_ACCOUNTS, { ids: found, setsIndustry, setsPlan, ...values });
      }
      const done = new Set(found);
      const missing = ids.filter((id) => !done.has(id.toLowerCase()));
      return Json.of({
        done: done.size,
        errors: missing.map((accountId) => ({ accountId, error: notFound().message })),
      });
    });
  }

  /** Their contacts stay, and belong to no account. @param ids accounts that are locked */
  private async delete(tx: Tx, ids: readonly string[]): Promise<void> {
    // No other transaction can link a contact to them now, because the accounts are locked.
    const linked = await tx.find(ContactEntity, { accountId: In(ids) }, { limit: MAX_UNLINKED + 1 });
    if (linked.length > MAX_UNLINKED)
      throw new ConflictException(
        `More than ${MAX_UNLINKED} contacts belong to these accounts. Delete fewer at once, or link their contacts elsewhere first`,
      );
    if (linked.length) {
      await this.events.publish(tx, new ContactsLocking(linked.map(({ id }) => id)));
      const contacts = await tx.query(LOCK_CONTACTS, { ids, limit: MAX_UNLINKED, self: callerId(tx.caller) });
      await tx.query(UNLINK_CONTACTS, { ids: contacts.map(({ id }) => id) });
    }
    await tx.delete(AccountEntity, { id: In(ids) });
  }
}
