import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { FIND_COLLEAGUE } from "../actions/actions.queries.js";
import { assertDistinct } from "../actions/actions.service.js";
import type { BulkActionDto, BulkChangeDto, BulkChangeType, CreateBulkActionDto } from "./bulk-actions.dto.js";
import { ADD, GET_BULK_ACTION } from "./bulk-actions.queries.js";

/** One request changes so many conversations at most. */
const MAX_CONVERSATIONS = 10_000;
type Field = Exclude<keyof BulkChangeDto, "type">;
/** The fields of each type. Those with `true` are mandatory. */
const FIELDS: Record<BulkChangeType, Partial<Record<Field, boolean>>> = {
  resolve: { resolution: false },
  reopen: {},
  wait: {},
  snooze: { until: true },
  assign: { memberId: true },
  unassign: {},
  read: {},
  unread: {},
  label: { add: false, remove: false },
};

@Injectable()
export class BulkActionsService {
  constructor(private readonly db: Database) {}

  /** @throws BadRequestException, ConflictException (too many match), NotFoundException (none match, or no such workspace or member) */
  create(caller: Caller, { filter, action }: CreateBulkActionDto): Promise<Json<BulkActionDto>> {
    if (caller.kind !== "member" && caller.kind !== "apiKey")
      throw new Error("only members and keys ask for bulk actions");
    const { kind } = caller;
    if (!Object.values(filter).some((value) => value !== undefined))
      throw new BadRequestException("filter must have at least one field");
    assertFields(action);
    return this.db.transaction(caller, async (tx) => {
      const [id, self] = [uuid(), callerId(caller)!];
      if (filter.workspaceId)
        await tx.findOrThrow(WorkspaceEntity, { id: filter.workspaceId }, { field: "workspaceId" });
      const { memberId } = action;
      if (memberId && !(await tx.query(FIND_COLLEAGUE, { memberId })).length) throw notFound();
      const author = { authorKind: kind, authorId: self };
      const args = { ...filter, ...author, id, action: JSON.stringify(action), most: MAX_CONVERSATIONS };
      const [{ total }] = (await tx.query(ADD, args)) as [{ total: number }];
      if (total === 0) throw notFound();
      if (total > MAX_CONVERSATIONS)
        throw new ConflictException("More than 10,000 conversations match: narrow the filter");
      tx.changesNothingVisible();
      return (await tx.read(GET_BULK_ACTION, { id, self })).created();
    });
  }

  get(caller: Caller, id: string): Promise<Json<BulkActionDto>> {
    return this.db.read(caller, GET_BULK_ACTION, { id, self: callerId(caller) });
  }
}

/** @throws BadRequestException: a field is missing or belongs to another type */
function assertFields({ type, ...given }: BulkChangeDto): void {
  const fields = FIELDS[type];
  for (const [field, mandatory] of Object.entries(fields))
    if (mandatory && given[field as Field] === undefined) throw new BadRequestException(`${type} needs ${field}`);
  for (const [field, value] of Object.entries(given))
    if (value !== undefined && !(field in fields)) throw new BadRequestException(`${type} takes no ${field}`);
  if (type === "label" && !given.add?.length && !given.remove?.length)
    throw new BadRequestException("label needs labels to add or to remove");
  assertDistinct(given);
}
