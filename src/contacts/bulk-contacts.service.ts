import { BadRequestException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { notFound } from "../platform/http/errors.js";
import { Json } from "../platform/http/json.js";
import type { ChangeContactsDto, ContactChangeType, ContactsChangedDto } from "./bulk-contacts.dto.js";
import { ContactsLocking } from "./contact-events.js";
import { CHANGE_CONTACTS, LOCK_CONTACTS_TO_CHANGE } from "./bulk-contacts.queries.js";
import { MAX_LABELS } from "./contacts.dto.js";
import { LOCK_ACCOUNT, LOCK_BLOCKING } from "./contacts.queries.js";
import { merged } from "./contacts.service.js";

type Change = Omit<ChangeContactsDto, "ids">;
type Field = Exclude<keyof Change, "type">;
/** The fields of each type. Those with `true` are mandatory. */
const FIELDS: Record<ContactChangeType, Partial<Record<Field, boolean>>> = {
  label: { add: false, remove: false },
  link: { accountId: true },
  unlink: {},
  block: {},
  unblock: {},
};

@Injectable()
export class BulkContactsService {
  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {}

  /** @throws BadRequestException, NotFoundException: none of the contacts, or not the account */
  change(caller: Caller, { ids, ...action }: ChangeContactsDto): Promise<Json<ContactsChangedDto>> {
    assertFields(action);
    const { type, add = [], remove = [], accountId = null } = action;
    const self = callerId(caller);
    return this.db.transaction(caller, async (tx) => {
      if (accountId !== null && !(await tx.query(LOCK_ACCOUNT, { accountId, self })).length)
        throw notFound("accountId");
      const links = type === "link" || type === "unlink";
      // Their conversations have the account, too.
      if (links) await this.events.publish(tx, new ContactsLocking(ids));
      const found = new Map(
        (await tx.query(LOCK_CONTACTS_TO_CHANGE, { ids, add, remove, self })).map((one) => [one.id, one]),
      );
      if (!found.size) throw notFound();
      const given = [...new Set(ids.map((id) => id.toLowerCase()))].sort();
      const errors = given.flatMap((contactId) => {
        const one = found.get(contactId);
        if (!one) return [{ contactId, error: notFound().message }];
        if (one.mergedIntoId !== null) return [{ contactId, error: merged(one.mergedIntoId).message }];
        return one.tooMany ? [{ contactId, error: `A contact has at most ${MAX_LABELS} labels` }] : [];
      });
      const failed = new Set(errors.map(({ contactId }) => contactId));
      const changed = given.filter((id) => !failed.has(id));
      const blocked = type === "block" ? true : type === "unblock" ? false : null;
      await tx.query(CHANGE_CONTACTS, { ids: changed, add, remove, links, accountId, blocked });
      if (type === "block") await tx.query(LOCK_BLOCKING, { ids: changed });
      return Json.of({ done: changed.length, errors });
    });
  }
}

/** @throws BadRequestException: a field is missing or belongs to another type */
function assertFields({ type, ...given }: Change): void {
  const fields = FIELDS[type];
  for (const [field, mandatory] of Object.entries(fields))
    if (mandatory && given[field as Field] === undefined) throw new BadRequestException(`${type} needs ${field}`);
  for (const [field, value] of Object.entries(given))
    if (value !== undefined && !(field in fields)) throw new BadRequestException(`${type} takes no ${field}`);
  if (type !== "label") return;
  const { add = [], remove = [] } = given;
  if (!add.length && !remove.length) throw new BadRequestException("label needs labels to add or to remove");
  if (add.some((label) => remove.includes(label)))
    throw new BadRequestException("add and remove must not have a label in common");
}
